import { Skeleton } from '@/shared/ui'
import { cellStyle } from './cellStyle'
import type { PlacedColumn } from './columns'
import { cx } from '@/shared/lib/cx'

/** Placeholders in the shape of rows. */
export function TableLoading<Row>({
  placed,
  rowHeight,
}: {
  placed: readonly PlacedColumn<Row>[]
  rowHeight: number
}) {
  return (
    <div aria-hidden className="w-max min-w-full">
      {[0, 1, 2, 3, 4, 5, 6, 7].map((row) => (
        <div key={row} className="flex border-b border-border" style={{ height: rowHeight }}>
          {placed.map((each) => (
            <div
              key={each.column.id}
              className={cx(
                'flex shrink-0 items-center px-3',
                each.column.grows && each.left === undefined && 'grow',
              )}
              style={cellStyle(each)}
            >
              <Skeleton className={row % 3 === 0 ? 'w-1/2' : 'w-2/3'} />
            </div>
          ))}
        </div>
      ))}
    </div>
  )
}
