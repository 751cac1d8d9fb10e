export { DataTable, type DataTableProps } from './DataTable'
export type { Column } from './columns'
export { tableSearchEntries, type TableSearch, type TableState } from './tableState'
export { useTableState } from './useTableState'
