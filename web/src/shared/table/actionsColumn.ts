import type { ReactNode } from 'react'
import type { Column } from './columns'

/** The last column: what can be done with a row. It cannot be hidden. */
export function actionsColumn<Row>(cell: (row: Row) => ReactNode): Column<Row> {
  return { id: 'actions', header: 'Actions', width: 80, required: true, cell }
}
