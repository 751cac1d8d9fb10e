import type { TableState } from './tableState'

type Value = string | number | null | undefined

/** Sorts rows by the state, for lists that are loaded completely. Rows without a value come last. */
export function sortRows<Row>(
  rows: readonly Row[],
  state: TableState,
  values: Record<string, (row: Row) => Value>,
): Row[] {
  const { sort } = state
  const value = sort && Object.hasOwn(values, sort.column) ? values[sort.column] : undefined
  if (!sort || !value) return [...rows]
  const sign = sort.direction === 'asc' ? 1 : -1
  return rows.toSorted((a, b) => {
    const [x, y] = [value(a) ?? undefined, value(b) ?? undefined]
    if (x === undefined || y === undefined) return Number(x === undefined) - Number(y === undefined)
    if (typeof x === 'number' && typeof y === 'number') return sign * (x - y)
    return (
      sign * String(x).localeCompare(String(y), undefined, { numeric: true, sensitivity: 'base' })
    )
  })
}
