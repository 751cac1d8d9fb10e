import type { ReactNode } from 'react'
import { clampWidth, type Sort, type TableState } from './tableState'

/** A column as defined by a page. Ids contain no commas, colons or dots, since they are part of the URL. */
export type Column<Row> = {
  id: string
  header: string
  cell: (row: Row) => ReactNode
  width?: number
  /** Takes the remaining width. */
  grows?: boolean
  align?: 'start' | 'end'
  /** Whether the list can be sorted by it. */
  sortable?: boolean
  /** What a list that is loaded completely is sorted by, if not by the text of the cell. */
  value?: (row: Row) => SortValue
  /** Hidden by default. */
  hiddenAtFirst?: boolean
  /** Its group in the column menu; without one, it is listed among the columns of the page. */
  group?: string
  /** The header that it shares with the columns of the same name beside it. */
  under?: string
  /** Shown in a row at the end that stays in sight: the sum, or what else stands for all rows. */
  total?: ReactNode
  /** Cannot be hidden. */
  required?: boolean
  /** Cells have links or buttons of their own, so that they cannot be part of the link of their row. */
  hasControls?: boolean
  /** The values of a cell that the list can be filtered by, in the words of its query. */
  filterValues?: (row: Row) => readonly CellValue[]
}

/** A value of a column of the query, which is not always the column of the table. */
export type CellValue = { column: string; value: string }

export type SortValue = string | number | null | undefined

/** A visible column with its position: `left` is the offset at which a pinned column sticks. */
export type PlacedColumn<Row> = {
  column: Column<Row>
  width: number
  left: number | undefined
  isLastPinned: boolean
}

const defaultWidth = 160

/** All columns in the order of the state, including hidden ones. */
export function orderColumns<Row>(
  columns: readonly Column<Row>[],
  state: TableState,
): Column<Row>[] {
  const order = state.order ?? []
  const place = (column: Column<Row>, index: number) => {
    const at = order.indexOf(column.id)
    return at < 0 ? order.length + index : at
  }
  const pinned = new Set(state.pinned)
  return columns
    .map((column, index) => ({
      column,
      at: place(column, index),
      pinned: pinned.has(column.id) ? 0 : 1,
    }))
    .sort((a, b) => a.pinned - b.pinned || a.at - b.at)
    .map(({ column }) => column)
}

export function isShown<Row>(column: Column<Row>, state: TableState): boolean {
  if (column.required) return true
  if (state.hidden?.includes(column.id)) return false
  return !column.hiddenAtFirst || (state.shown?.includes(column.id) ?? false)
}

/** The visible columns, with their widths and the positions of the pinned ones. */
export function placeColumns<Row>(
  columns: readonly Column<Row>[],
  state: TableState,
  leading: number,
): PlacedColumn<Row>[] {
  const shown = orderColumns(columns, state).filter((column) => isShown(column, state))
  const pinned = new Set(state.pinned)
  const lastPinned = shown.findLast((column) => pinned.has(column.id))
  let left = leading
  return shown.map((column) => {
    const width = state.widths?.[column.id] ?? column.width ?? defaultWidth
    const placed = {
      column,
      width,
      left: pinned.has(column.id) ? left : undefined,
      isLastPinned: column === lastPinned,
    }
    left += width
    return placed
  })
}

/** Columns beside each other that share a header; name is undefined for those that have none. */
export type ColumnRun<Row> = { name: string | undefined; columns: PlacedColumn<Row>[] }

/** The runs of columns with the same header above them. A run never goes on beyond the pinned columns. */
export function columnRuns<Row>(placed: readonly PlacedColumn<Row>[]): ColumnRun<Row>[] {
  const runs: ColumnRun<Row>[] = []
  for (const each of placed) {
    const before = runs.at(-1)
    const isPinnedEnd = before?.columns.at(-1)?.isLastPinned ?? false
    if (before && before.name === each.column.under && !isPinnedEnd) before.columns.push(each)
    else runs.push({ name: each.column.under, columns: [each] })
  }
  return runs
}

/** The minimum width of a row. */
export function widthOf<Row>(placed: readonly PlacedColumn<Row>[], leading: number): number {
  return placed.reduce((sum, { width }) => sum + width, leading)
}

export function toggleColumn<Row>(column: Column<Row>, state: TableState): TableState {
  const without = (ids: string[] | undefined) => (ids ?? []).filter((id) => id !== column.id)
  if (isShown(column, state)) {
    return column.hiddenAtFirst
      ? { ...state, shown: without(state.shown) }
      : { ...state, hidden: [...without(state.hidden), column.id] }
  }
  return {
    ...state,
    hidden: without(state.hidden),
    shown: column.hiddenAtFirst ? [...without(state.shown), column.id] : state.shown,
  }
}

export function togglePin(id: string, state: TableState): TableState {
  const pinned = state.pinned ?? []
  return {
    ...state,
    pinned: pinned.includes(id) ? pinned.filter((each) => each !== id) : [...pinned, id],
  }
}

/** Moves a column by one place among all of them. */
export function moveColumn<Row>(
  columns: readonly Column<Row>[],
  state: TableState,
  id: string,
  by: -1 | 1,
): TableState {
  const order = orderColumns(columns, state).map((column) => column.id)
  const from = order.indexOf(id)
  const to = from + by
  const other = order[to]
  if (from < 0 || other === undefined) return state
  order[to] = id
  order[from] = other
  return { ...state, order }
}

export function resizeColumn(id: string, width: number, state: TableState): TableState {
  return { ...state, widths: { ...state.widths, [id]: clampWidth(width) } }
}

/** The effect of clicking a header: descending, ascending, the page's own order. */
export function nextSort(column: string, sort: Sort | undefined): Sort | undefined {
  if (sort?.column !== column) return { column, direction: 'desc' }
  return sort.direction === 'desc' ? { column, direction: 'asc' } : undefined
}
