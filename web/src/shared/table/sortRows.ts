import type { Column, SortValue } from './columns'
import type { TableState } from './tableState'

/** Sorts rows by the state, for lists that are loaded completely. Rows without a value come last. */
export function sortRows<Row>(
  rows: readonly Row[],
  state: TableState,
  columns: readonly Column<Row>[],
): Row[] {
  const { sort } = state
  const column = columns.find(({ id, sortable }) => sortable && id === sort?.column)
  if (!sort || !column) return [...rows]
  const sign = sort.direction === 'asc' ? 1 : -1
  return rows.toSorted((a, b) => {
    const [x, y] = [valueOf(column, a), valueOf(column, b)]
    if (x === undefined || y === undefined) return Number(x === undefined) - Number(y === undefined)
    if (typeof x === 'number' && typeof y === 'number') return sign * (x - y)
    return (
      sign * String(x).localeCompare(String(y), undefined, { numeric: true, sensitivity: 'base' })
    )
  })
}

/** What a row is sorted by: the value of the column, or the text of its cell. */
function valueOf<Row>(column: Column<Row>, row: Row): SortValue {
  if (column.value) return column.value(row) ?? undefined
  const cell = column.cell(row)
  return typeof cell === 'string' || typeof cell === 'number' ? cell : undefined
}
