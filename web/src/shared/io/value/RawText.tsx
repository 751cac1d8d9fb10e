import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useEffectEvent, useMemo, useRef } from 'react'
import { asciiLower, useFoundText } from '../found'
import { pieces } from './model/pieces'

/** Texts up to this length are a single element. */
const small = 50_000

/** A text exactly as stored. For a long one, only the visible part is rendered. */
export function RawText({ text, label }: { text: string; label: string }) {
  if (text.length > small) return <LongText text={text} label={label} />
  return (
    <pre
      // A region that scrolls has to be reachable by keyboard.
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      aria-label={label}
      dir="auto"
      className="max-h-[28rem] overflow-auto p-3 font-mono text-sm [overflow-wrap:anywhere] whitespace-pre-wrap"
    >
      {text}
    </pre>
  )
}

function LongText({ text, label }: { text: string; label: string }) {
  const scroller = useRef<HTMLDivElement>(null)
  const offsets = useMemo(() => pieces(text), [text])
  const virtual = useVirtualizer({
    count: offsets.length - 1,
    getScrollElement: () => scroller.current,
    estimateSize: () => 400,
    overscan: 2,
    initialRect: { width: 600, height: 400 },
  })
  const shown = virtual.getVirtualItems()
  const found = useFoundText()
  const scrollTo = useEffectEvent((wanted: string) => {
    const at = asciiLower(text).indexOf(asciiLower(wanted))
    const piece = offsets.findLastIndex((offset) => offset <= at)
    if (piece >= 0) virtual.scrollToIndex(piece, { align: 'start' })
  })
  // Scroll positions are outside React.
  useEffect(() => {
    if (found !== '') scrollTo(found)
  }, [found, text])
  return (
    <div
      ref={scroller}
      role="region"
      aria-label={label}
      // A region that scrolls has to be reachable by keyboard.
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      className="h-[28rem] overflow-auto p-3 font-mono text-sm"
    >
      <div className="relative" style={{ height: virtual.getTotalSize() }}>
        <div
          className="absolute top-0 left-0 w-full"
          style={{ transform: `translateY(${shown[0]?.start ?? 0}px)` }}
        >
          {shown.map(({ index }) => (
            <pre
              key={index}
              ref={virtual.measureElement}
              data-index={index}
              dir="auto"
              className="[overflow-wrap:anywhere] whitespace-pre-wrap"
            >
              {text.slice(offsets[index], offsets[index + 1]).replace(/\n$/, '')}
            </pre>
          ))}
        </div>
      </div>
    </div>
  )
}
