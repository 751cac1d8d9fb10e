import { useMemo, useState } from 'react'
import { cx } from '@/shared/lib/cx'
import { formatExact } from '@/shared/lib/format'
import { Button } from '@/shared/ui'
import { blocksOf, type Block } from './model/blocks'
import { marksOf } from './model/marks'
import { ReferenceLink } from './ReferenceLink'

/** So much of a text is shown at first. */
const shownAtFirst = 30_000

/** A text exactly as it is stored, with variables and references highlighted. Long texts are opened by a button. */
export function MarkedText({ text, className }: { text: string; className?: string }) {
  const [isOpen, setOpen] = useState(false)
  const isLong = text.length > shownAtFirst * 1.2
  const length = isOpen || !isLong ? text.length : lineEnd(text, shownAtFirst)
  const marks = useMemo(() => marksOf(text), [text])
  const blocks = useMemo(() => blocksOf(text, length, marks), [text, length, marks])
  if (text === '') return <p className={cx('text-text-3', className)}>Empty</p>
  return (
    <div className={cx('min-w-0', className)}>
      <div dir="auto" className="font-mono text-sm [overflow-wrap:anywhere] whitespace-pre-wrap">
        {blocks.length === 1 ? (
          blocks.map((block) => <Pieces key={block.from} text={text} block={block} />)
        ) : (
          <>
            {blocks.map((block) => (
              <div
                key={block.from}
                className="[contain-intrinsic-size:auto_4000px] [content-visibility:auto]"
              >
                <Pieces text={text} block={block} />
              </div>
            ))}
          </>
        )}
      </div>
      {length < text.length && (
        <Button size="sm" onPress={() => setOpen(true)} className="mt-2 self-start">
          Show the other {formatExact(text.length - length)} characters
        </Button>
      )}
    </div>
  )
}

/** The end of the line at a place, if it is near. */
function lineEnd(text: string, at: number): number {
  const newline = text.indexOf('\n', at)
  if (newline >= 0 && newline < at + 1_000) return newline + 1
  // Not between the halves of a character.
  return /[\uD800-\uDBFF]/.test(text.charAt(at - 1)) ? at + 1 : at
}

function Pieces({ text, block }: { text: string; block: Block }) {
  const pieces = []
  let at = block.from
  for (const mark of block.marks) {
    if (mark.from > at) pieces.push(text.slice(at, mark.from))
    const written = text.slice(mark.from, mark.to)
    pieces.push(
      mark.kind === 'variable' ? (
        <span key={mark.from} className="rounded-xs bg-accent-soft text-accent" data-variable>
          {written}
        </span>
      ) : (
        <ReferenceLink key={mark.from} reference={mark.reference}>
          {written}
        </ReferenceLink>
      ),
    )
    at = mark.to
  }
  pieces.push(text.slice(at, block.to))
  return pieces
}
