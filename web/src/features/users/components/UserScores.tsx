import { useNavigate } from '@tanstack/react-router'
import { QueryTable } from '@/shared/errors'
import { scoreText } from '@/shared/scoring'
import type { Scope } from '@/shared/scope'
import { timeColumn, type Column } from '@/shared/table'
import { Badge, EmptyState } from '@/shared/ui'
import { tracesWithScores, useUserScores, type Score } from '../api/useUser'

const columns: Column<Score>[] = [
  timeColumn('timestamp', 'Time', (score) => score.timestamp, { sortable: true }),
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
    value: (score) => (typeof score.value === 'number' ? score.value : scoreText(score)),
    cell: (score) => <span className="tabular">{scoreText(score)}</span>,
  },
  { id: 'source', header: 'Source', width: 120, cell: (score) => <Badge>{score.source}</Badge> },
  { id: 'comment', header: 'Comment', width: 240, grows: true, cell: (score) => score.comment },
]

type UserScoresProps = { projectId: string; userId: string; scope: Scope }

/** The scores of a user's newest traces. */
export function UserScores({ projectId, userId, scope }: UserScoresProps) {
  const navigate = useNavigate()
  const scores = useUserScores(projectId, userId, scope, true)
  return (
    <QueryTable
      label="Scores"
      what="scores"
      columns={columns}
      query={scores}
      rows={scores.data?.scores}
      rowId={(score) => score.id}
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
      toolbar={
        scores.data?.isWhole === false && (
          <p className="text-sm text-text-3">
            The newest 100 scores of the newest {tracesWithScores} traces.
          </p>
        )
      }
      empty={<EmptyState title="No scores on this user’s traces in this time range" />}
    />
  )
}
