import { Link, useNavigate } from '@tanstack/react-router'
import { LoadError, pagedTableProps } from '@/shared/errors'
import type { Scope } from '@/shared/scope'
import { encodeFilter } from '@/shared/lib/filter'
import { DataTable, useTableState, type Column, type TableState } from '@/shared/table'
import { Duration, EmptyState, linkClass, Money, Time, Tokens, ErrorCount } from '@/shared/ui'
import { useUserTraces, type TraceOrder, type TraceRow } from '../api/useUser'

const orders = ['startTime', 'latency', 'totalCost', 'totalTokens'] as const

const columns: Column<TraceRow>[] = [
  {
    id: 'startTime',
    header: 'Start',
    width: 104,
    sortable: true,
    cell: (row) => <Time at={row.startTime} />,
  },
  {
    id: 'name',
    header: 'Name',
    width: 180,
    required: true,
    cell: (row) => row.traceName || row.name || row.traceId,
  },
  {
    id: 'errors',
    header: 'Errors',
    width: 108,
    cell: (row) => <ErrorCount count={row.errors} />,
  },
  { id: 'input', header: 'Input', width: 220, grows: true, cell: (row) => row.inputPreview },
  { id: 'output', header: 'Output', width: 220, grows: true, cell: (row) => row.outputPreview },
  {
    id: 'latency',
    header: 'Latency',
    width: 90,
    align: 'end',
    sortable: true,
    cell: (row) => <Duration milliseconds={row.latency === null ? null : row.latency * 1000} />,
  },
  {
    id: 'totalTokens',
    header: 'Tokens',
    width: 90,
    align: 'end',
    sortable: true,
    cell: (row) => <Tokens count={row.totalTokens} />,
  },
  {
    id: 'totalCost',
    header: 'Cost',
    width: 96,
    align: 'end',
    sortable: true,
    cell: (row) => <Money amount={row.totalCost} />,
  },
  { id: 'sessionId', header: 'Session', width: 140, cell: (row) => row.sessionId },
]

type UserTracesProps = { projectId: string; userId: string; scope: Scope; maxHeight: number }

/** The traces of a user. */
export function UserTraces({ projectId, userId, scope, maxHeight }: UserTracesProps) {
  const [state, setState] = useTableState()
  const navigate = useNavigate()
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
      onOpen={(row) =>
        void navigate({
          to: '/project/$projectId/traces/$traceId',
          params: { projectId, traceId: row.traceId },
        })
      }
      {...pagedTableProps(traces)}
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
      error={
        traces.isError &&
        rows === undefined && <LoadError title="Couldn’t load traces" query={traces} />
      }
      empty={<EmptyState title="No traces of this user in this time range" />}
    />
  )
}

function orderOf({ sort }: TableState): TraceOrder | undefined {
  const column = orders.find((each) => each === sort?.column)
  return column === undefined || !sort ? undefined : { column, direction: sort.direction }
}
