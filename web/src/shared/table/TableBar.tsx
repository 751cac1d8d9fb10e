import type { ReactNode } from 'react'
import { cx } from '@/shared/lib/cx'

type TableBarProps = {
  /** The number of rows. */
  count: ReactNode
  columnMenu: ReactNode
  /** Whether the tools give way to the actions for the selected rows: both have the same height, and no row moves. */
  isSelectable: boolean
  /** Search and filters, or the actions for the selected rows. */
  children: ReactNode
}

/** The bar above a table. */
export function TableBar({ count, columnMenu, isSelectable, children }: TableBarProps) {
  return (
    <div
      className={cx(
        'flex flex-wrap items-center gap-2 pb-2 sm:flex-nowrap',
        isSelectable ? 'min-h-10' : 'min-h-8',
      )}
    >
      {/* On a narrow screen the tools have the whole width, and the rest stands below them. */}
      <div className="flex min-w-0 grow basis-full flex-wrap items-center gap-2 empty:hidden sm:basis-0">
        {children}
      </div>
      <span className="tabular ml-auto shrink-0 text-sm text-text-3" role="status">
        {count}
      </span>
      {columnMenu}
    </div>
  )
}

/** How many rows are loaded, with a plus if there are more. */
export function countRows(count: number, isMore: boolean): string | false {
  return count > 0 && `${count}${isMore ? '+' : ''} ${count === 1 && !isMore ? 'row' : 'rows'}`
}
