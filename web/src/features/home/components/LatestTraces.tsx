import { useNavigate } from '@tanstack/react-router'
import { DataTable, useTableState, type Column } from '@/shared/table'
import { Badge, Duration, EmptyState, Money, ObservationType, Time, Tokens } from '@/shared/ui'
import type { LatestTrace } from '../api/useLatestTraces'

const columns: Column<LatestTrace>[] = [
  { id: 'start', header: 'Start', width: 110, cell: (row) => <Time at={row.startTime} /> },
  {
    id: 'type',
    header: 'Type',
    width: 120,
    cell: (row) => <ObservationType type={row.type ?? 'SPAN'} />,
  },
  {
    id: 'name',
    header: 'Name',
    width: 220,
    grows: true,
    required: true,
    cell: (row) => row.traceName || row.name || row.traceId,
  },
  {
    id: 'level',
    header: 'Level',
    width: 100,
    cell: (row) =>
      row.level === 'ERROR' ? (
        <Badge tone="danger">Error</Badge>
      ) : row.level === 'WARNING' ? (
        <Badge tone="warning">Warning</Badge>
      ) : null,
  },
  {
    id: 'latency',
    header: 'Latency',
    width: 90,
    align: 'end',
    cell: (row) => (
      <Duration
        milliseconds={
          row.latency === null || row.latency === undefined ? undefined : row.latency * 1000
        }
      />
    ),
  },
  {
    id: 'tokens',
    header: 'Tokens',
    width: 90,
    align: 'end',
    cell: (row) => <Tokens count={row.usageDetails?.total} />,
  },
  {
    id: 'cost',
    header: 'Cost',
    width: 100,
    align: 'end',
    cell: (row) => <Money amount={row.totalCost} />,
  },
  { id: 'user', header: 'User', width: 140, cell: (row) => row.userId },
  {
    id: 'session',
    header: 'Session',
    width: 140,
    hiddenAtFirst: true,
    cell: (row) => row.sessionId,
  },
  { id: 'environment', header: 'Environment', width: 120, cell: (row) => row.environment },
]

/** The newest traces of the project; they replace the snippet once the first has arrived. */
export function LatestTraces({ projectId, rows }: { projectId: string; rows: LatestTrace[] }) {
  const [state, setState] = useTableState()
  const navigate = useNavigate()
  return (
    <DataTable
      label="Latest traces"
      columns={columns}
      rows={rows}
      rowId={(row) => row.id}
      state={state}
      onStateChange={setState}
      onOpen={(row) =>
        void navigate({
          to: '/project/$projectId/traces/$traceId',
          params: { projectId, traceId: row.traceId ?? row.id },
        })
      }
      empty={<EmptyState title="No traces" />}
      maxHeight={480}
      toolbar={<h2 className="text-lg font-medium">Latest traces</h2>}
    />
  )
}
