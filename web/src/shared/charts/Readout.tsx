import { cx } from '@/shared/lib/cx'
import { Swatch } from './Swatch'
import type { ChartTone } from './tone'

type ReadoutProps = {
  title: string
  lines: readonly { label: string; tone: ChartTone; value: string; isBefore?: boolean }[]
  /** What happened there. */
  notes?: readonly string[]
  /** Whether it is on the left, because the pointer is on the right. */
  isLeft: boolean
}

/** The values under the pointer. Hidden from screen readers, which read them from the chart itself. */
export function Readout({ title, lines, notes = [], isLeft }: ReadoutProps) {
  return (
    <div
      aria-hidden
      className={cx(
        'z-cell pointer-events-none absolute top-0 rounded-md bg-surface-0 px-2 py-1 text-sm shadow-pop',
        isLeft ? 'left-14' : 'right-2',
      )}
    >
      <p className="tabular text-text-2">{title}</p>
      {notes.map((note) => (
        <p key={note} className="max-w-64 truncate font-medium">
          {note}
        </p>
      ))}
      {lines.map(({ label, tone, value, isBefore }) => (
        <p key={label} className="flex items-center gap-1.5">
          <Swatch tone={tone} isBefore={isBefore} />
          <span className="text-text-2">{label}</span>
          <span className="tabular ml-auto pl-2 font-medium">{value}</span>
        </p>
      ))}
    </div>
  )
}
