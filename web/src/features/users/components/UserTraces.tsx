import { Link, linkOptions, useNavigate } from '@tanstack/react-router'
import { pagedTableProps } from '@/shared/errors'
import type { Scope } from '@/shared/scope'
import { encodeFilter } from '@/shared/lib/filter'
import { useHref } from '@/shared/lib/useHref'
import {
  countColumn,
  DataTable,
  durationColumn,
  errorsColumn,
  moneyColumn,
  timeColumn,
  useTableState,
  type Column,
  type TableState,
} from '@/shared/table'
import { EmptyState, linkClass } from '@/shared/ui'
import { useUserTraces, type TraceOrder, type TraceRow } from '../api/useUser'

const orders = ['startTime', 'latency', 'totalCost', 'totalTokens'] as const

const columns: Column<TraceRow>[] = [
  timeColumn('startTime', 'Start', (row) => row.startTime, { sortable: true }),
  {
    id: 'name',
    header: 'Name',
    width: 180,
    required: true,
    cell: (row) => row.traceName || row.name || row.traceId,
  },
  errorsColumn('errors', 'Errors', (row) => row.errors),
  { id: 'input', header: 'Input', width: 220, grows: true, cell: (row) => row.inputPreview },
  { id: 'output', header: 'Output', width: 220, grows: true, cell: (row) => row.outputPreview },
  durationColumn('latency', 'Latency', (row) => row.latency, { sortable: true }),
  countColumn('totalTokens', 'Tokens', (row) => row.totalTokens, { sortable: true }),
  moneyColumn('totalCost', 'Cost', (row) => row.totalCost, { width: 96, sortable: true }),
  { id: 'sessionId', header: 'Session', width: 140, cell: (row) => row.sessionId },
]

type UserTracesProps = { projectId: string; userId: string; scope: Scope; maxHeight: number }

/** The traces of a user. */
export function UserTraces({ projectId, userId, scope, maxHeight }: UserTracesProps) {
  const [state, setState] = useTableState()
  const navigate = useNavigate()
  const href = useHref()
  const pageOf = (row: TraceRow) =>
    linkOptions({
      to: '/project/$projectId/traces/$traceId',
      params: { projectId, traceId: row.traceId },
    })
  const traces = useUserTraces(projectId, userId, scope, orderOf(state))
  const rows = traces.data?.pages.flatMap((page) => page.rows)
  const filter = encodeFilter([
    { type: 'stringOptions', column: 'userId', operator: 'any of', value: [userId] },
  ])
  return (
    <DataTable
      label="Traces"
      columns={columns}
      rows={rows}
      rowId={(row) => row.traceId}
      state={state}
      onStateChange={setState}
      onOpen={(row) => void navigate(pageOf(row))}
      hrefOf={(row) => href(pageOf(row))}
      {...pagedTableProps(traces, 'traces')}
      maxHeight={maxHeight}
      toolbar={
        <Link
          to="/project/$projectId/traces"
          params={{ projectId }}
          search={{ filter }}
          className={linkClass}
        >
          Filter and search these traces
        </Link>
      }
      empty={<EmptyState title="No traces of this user in this time range" />}
    />
  )
}

function orderOf({ sort }: TableState): TraceOrder | undefined {
  const column = orders.find((each) => each === sort?.column)
  return column === undefined || !sort ? undefined : { column, direction: sort.direction }
}
