import { useMemo } from 'react'
import {
  DataTable,
  listHeight,
  sortRows,
  useTableState,
  type Column,
  type DataTableProps,
} from '@/shared/table'
import { LoadError } from './LoadError'

type QueryTableProps<Row> = Omit<
  DataTableProps<Row>,
  'columns' | 'state' | 'onStateChange' | 'error'
> & {
  /** The columns; false leaves one out. */
  columns: readonly (Column<Row> | false)[]
  /** Where the rows come from, if they are loaded. */
  query?: { isError: boolean; error: unknown; refetch: () => Promise<unknown> }
  /** What the error calls them: "the members". */
  what?: string
}

/** A table of a list that is loaded completely: it is sorted here, and its state is kept in the URL. */
export function QueryTable<Row>({ columns, query, what, ...props }: QueryTableProps<Row>) {
  const [state, setState] = useTableState()
  const shown = useMemo(() => columns.filter((column) => column !== false), [columns])
  return (
    <DataTable
      maxHeight={listHeight}
      {...props}
      columns={shown}
      rows={props.rows && sortRows(props.rows, state, shown)}
      state={state}
      onStateChange={setState}
      error={
        query?.isError &&
        props.rows === undefined && <LoadError title={`Couldn’t load ${what}`} query={query} />
      }
    />
  )
}
