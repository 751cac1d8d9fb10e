import { cx } from '@/shared/lib/cx'
import { toneClass, type ChartTone } from './tone'

/** The line style of a series, shown beside its name. */
export function Swatch({ tone, isBefore }: { tone: ChartTone; isBefore?: boolean }) {
  return (
    <span
      aria-hidden
      className={cx(
        'inline-block w-3.5 shrink-0 border-t-2 border-current',
        isBefore && 'border-dotted',
        toneClass[tone],
      )}
    />
  )
}
