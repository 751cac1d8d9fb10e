import { useState, type KeyboardEvent, type PointerEvent } from 'react'
import { readStored, writeStored } from '@/lib/preference'

const key = 'almanac.trace.split'
const least = 20
const most = 80
const step = 2

/** How much of the width the tree has, in percent, remembered in this browser. */
export function useSplit(): [number, (percent: number) => void] {
  const [percent, setPercent] = useState(() => {
    const stored = Number(readStored(key) ?? Number.NaN)
    return stored >= least && stored <= most ? stored : 45
  })
  const change = (next: number) => {
    const bounded = Math.round(Math.min(most, Math.max(least, next)) * 10) / 10
    setPercent(bounded)
    writeStored(key, String(bounded))
  }
  return [percent, change]
}

type SplitterProps = { percent: number; onChange: (percent: number) => void; className?: string }

/** The line between two panes, which can be moved by mouse and by arrow keys. */
export function Splitter({ percent, onChange, className = '' }: SplitterProps) {
  const move = (event: PointerEvent<HTMLDivElement>) => {
    if (!event.currentTarget.hasPointerCapture(event.pointerId)) return
    const box = event.currentTarget.parentElement?.getBoundingClientRect()
    if (box && box.width > 0) onChange(((event.clientX - box.left) / box.width) * 100)
  }
  const onKey = (event: KeyboardEvent) => {
    const by = event.key === 'ArrowLeft' ? -step : event.key === 'ArrowRight' ? step : 0
    if (by === 0) return
    event.preventDefault()
    onChange(percent + by)
  }
  return (
    // A separator that can be moved is a control, and takes the focus.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <div
      role="separator"
      aria-orientation="vertical"
      aria-label="Width of the tree"
      aria-valuenow={Math.round(percent)}
      aria-valuemin={least}
      aria-valuemax={most}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={move}
      onDoubleClick={() => onChange(45)}
      onKeyDown={onKey}
      className={`w-1 shrink-0 cursor-col-resize touch-none bg-border transition-colors duration-100 hover:bg-accent ${className}`}
    />
  )
}
