import { useNavigate } from '@tanstack/react-router'
import { LoadError } from '@/shared/errors'
import { scoreText } from '@/shared/scoring'
import type { Scope } from '@/shared/scope'
import { DataTable, sortRows, useTableState, type Column } from '@/shared/table'
import { Badge, EmptyState, Time } from '@/shared/ui'
import { tracesWithScores, useUserScores, type Score } from '../api/useUser'

const columns: Column<Score>[] = [
  {
    id: 'timestamp',
    header: 'Time',
    width: 104,
    sortable: true,
    cell: (score) => <Time at={score.timestamp} />,
  },
  {
    id: 'name',
    header: 'Name',
    width: 180,
    required: true,
    sortable: true,
    cell: (score) => score.name,
  },
  {
    id: 'value',
    header: 'Value',
    width: 140,
    sortable: true,
    cell: (score) => <span className="tabular">{scoreText(score)}</span>,
  },
  { id: 'source', header: 'Source', width: 120, cell: (score) => <Badge>{score.source}</Badge> },
  {
    id: 'comment',
    header: 'Comment',
    width: 240,
    grows: true,
    cell: (score) => score.comment,
  },
]

type UserScoresProps = { projectId: string; userId: string; scope: Scope; maxHeight: number }

/** The scores of a user's newest traces. */
export function UserScores({ projectId, userId, scope, maxHeight }: UserScoresProps) {
  const [state, setState] = useTableState()
  const navigate = useNavigate()
  const scores = useUserScores(projectId, userId, scope, true)
  const rows =
    scores.data &&
    sortRows(scores.data.scores, state, {
      timestamp: (score) => score.timestamp,
      name: (score) => score.name,
      value: (score) => (typeof score.value === 'number' ? score.value : scoreText(score)),
    })
  return (
    <DataTable
      label="Scores"
      columns={columns}
      rows={rows}
      rowId={(score) => score.id}
      state={state}
      onStateChange={setState}
      onOpen={(score) => {
        const { subject } = score
        const traceId = subject?.traceId ?? subject?.id
        if (traceId === undefined) return
        void navigate({
          to: '/project/$projectId/traces/$traceId',
          params: { projectId, traceId },
          search: subject?.kind === 'observation' ? { observation: subject.id } : {},
        })
      }}
      isStale={scores.isPlaceholderData}
      maxHeight={maxHeight}
      toolbar={
        scores.data?.isWhole === false && (
          <p className="text-sm text-text-3">
            The newest 100 scores of the newest {tracesWithScores} traces.
          </p>
        )
      }
      error={scores.isError && <LoadError title="Couldn’t load scores" query={scores} />}
      empty={<EmptyState title="No scores on this user’s traces in this time range" />}
    />
  )
}
