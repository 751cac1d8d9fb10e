import { useMemo } from 'react'
import { cx } from '@/shared/lib/cx'
import { formatExact } from '@/shared/lib/format'
import { longestDiff, shortened, textDiff } from '../model/textDiff'

type TextDifferenceProps = { label: string; a: string; b: string }

/** Two texts as one: what only A has is struck out, what only B has is underlined. */
export function TextDifference({ label, a, b }: TextDifferenceProps) {
  const diff = useMemo(() => textDiff(a, b), [a, b])
  const parts = useMemo(() => (diff ? shortened(diff.parts) : []), [diff])
  if (!diff)
    return (
      <p className="text-text-3">
        These texts are too long or too different to be compared: at most {formatExact(longestDiff)}{' '}
        characters together.
      </p>
    )
  return (
    <pre
      // A region that scrolls has to be reachable by keyboard.
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      aria-label={`Difference of the ${label.toLowerCase()}`}
      dir="auto"
      className="max-h-96 overflow-auto rounded-md border border-border bg-surface-1 p-2 font-mono text-sm break-words whitespace-pre-wrap"
    >
      {parts.map((part, at) => {
        const key = `${at} ${part.kind}`
        switch (part.kind) {
          case 'left-out':
            return (
              <span key={key} className="block text-text-3 select-none">
                … {formatExact(part.lines)} lines are the same …{'\n'}
              </span>
            )
          case 'same':
            return <span key={key}>{part.text}</span>
          case 'only-a':
            return (
              <del key={key} className={cx(change, 'bg-danger-soft text-danger')}>
                {part.text}
              </del>
            )
          case 'only-b':
            return (
              <ins key={key} className={cx(change, 'bg-success-soft text-success underline')}>
                {part.text}
              </ins>
            )
        }
      })}
    </pre>
  )
}

const change = 'rounded-xs'
