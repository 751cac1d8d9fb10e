export {
  actionsColumn,
  countColumn,
  durationColumn,
  errorsColumn,
  idColumn,
  moneyColumn,
  timeColumn,
  upcomingColumn,
} from './columnKinds'
export { DataTable, type DataTableProps } from './DataTable'
export type { CellValue, Column } from './columns'
export { dynamicId, dynamicKey, dynamicKeys } from './dynamicIds'
export { listHeight } from './listHeight'
export { decodeTableState, tableSearchNames, type TableSearch, type TableState } from './tableState'
export { sortRows } from './sortRows'
export { useTableState } from './useTableState'
