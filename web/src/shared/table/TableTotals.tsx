import { cx } from '@/shared/lib/cx'
import { cellStyle } from './cellStyle'
import type { PlacedColumn } from './columns'

type TableTotalsProps<Row> = {
  placed: readonly PlacedColumn<Row>[]
  leading: number
  rowHeight: number
}

/** The totals of the columns, always in sight below the rows. */
export function TableTotals<Row>({ placed, leading, rowHeight }: TableTotalsProps<Row>) {
  return (
    <div
      role="row"
      className="z-head sticky bottom-0 flex w-max min-w-full border-t border-border bg-surface-1 font-medium"
      style={{ height: rowHeight }}
    >
      {leading > 0 && (
        <span
          aria-hidden
          className="sticky left-0 shrink-0 bg-surface-1"
          style={{ width: leading }}
        />
      )}
      {placed.map((each) => (
        <div
          key={each.column.id}
          role="gridcell"
          className={cx(
            'flex shrink-0 items-center px-3 whitespace-nowrap',
            each.column.align === 'end' && 'justify-end tabular text-sm',
            each.left !== undefined && 'sticky bg-surface-1',
            each.isLastPinned && 'border-r border-border',
            each.column.grows && each.left === undefined && 'grow',
          )}
          style={cellStyle(each)}
        >
          <div className="min-w-0 truncate">{each.column.total}</div>
        </div>
      ))}
    </div>
  )
}
