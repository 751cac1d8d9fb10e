import { useNavigate } from '@tanstack/react-router'
import { QueryTable } from '@/shared/errors'
import { countColumn, durationColumn, moneyColumn, timeColumn, type Column } from '@/shared/table'
import { Badge, EmptyState, ObservationType } from '@/shared/ui'
import type { LatestTrace } from '../api/useLatestTraces'

const columns: Column<LatestTrace>[] = [
  timeColumn('start', 'Start', (row) => row.startTime, { width: 110 }),
  {
    id: 'type',
    header: 'Type',
    width: 120,
    cell: (row) => <ObservationType type={row.type} />,
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
  durationColumn('latency', 'Latency', (row) => row.latency),
  countColumn('tokens', 'Tokens', (row) => row.totalTokens),
  moneyColumn('cost', 'Cost', (row) => row.totalCost),
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
  const navigate = useNavigate()
  return (
    <QueryTable
      label="Latest traces"
      columns={columns}
      rows={rows}
      rowId={(row) => row.traceId}
      onOpen={(row) =>
        void navigate({
          to: '/project/$projectId/traces/$traceId',
          params: { projectId, traceId: row.traceId },
        })
      }
      empty={<EmptyState title="No traces" />}
      maxHeight={480}
      toolbar={<h2 className="text-lg font-medium">Latest traces</h2>}
    />
  )
}
