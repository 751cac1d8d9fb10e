import type { ReactNode } from 'react'

type TableBarProps = {
  /** How many rows there are. */
  count: ReactNode
  columnMenu: ReactNode
  /** Search and filters, or what can be done with the rows that are selected. */
  children: ReactNode
}

/** What stands above a table. */
export function TableBar({ count, columnMenu, children }: TableBarProps) {
  return (
    <div className="flex min-h-8 items-center gap-2 pb-2">
      <div className="flex min-w-0 flex-1 flex-wrap items-center gap-2">{children}</div>
      <span className="tabular shrink-0 text-sm text-text-3" role="status">
        {count}
      </span>
      {columnMenu}
    </div>
  )
}
