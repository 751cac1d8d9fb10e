import { Pencil, Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useMemberNames } from '@/shared/comments'
import { LoadError } from '@/shared/errors'
import { ConfirmChange } from '@/shared/forms'
import { NeedsRole } from '@/shared/roles'
import {
  mayEdit,
  PutScore,
  scoreText,
  sourceLabel,
  useDeleteScores,
  type Score,
} from '@/shared/scoring'
import { useProject } from '@/shared/currentUser'
import { Badge, Button, IconButton, Skeleton, Time, toast } from '@/shared/ui'
import { useScores } from '../api/useScores'
import { isAbout } from '../model/score'
import { nameOf, type Tree } from '../model/tree'

type ScoresTabProps = {
  projectId: string
  traceId: string
  observationId: string | undefined
  tree: Tree
  /** Opens the panel in which scores are given. */
  onScore: () => void
}

/** The scores of an observation or, for a trace, of everything in it. */
export function ScoresTab(props: ScoresTabProps) {
  const { projectId, traceId, observationId, tree, onScore } = props
  const { can } = useProject()
  const scores = useScores(projectId, traceId)
  const nameOfMember = useMemberNames(projectId)
  const remove = useDeleteScores(projectId)
  const [edited, setEdited] = useState<string | undefined>(undefined)
  const [deleted, setDeleted] = useState<Score | undefined>(undefined)
  const subject = { traceId, observationId }
  const canWrite = can('scores:write')
  if (scores.isError) return <LoadError title="Couldn’t load the scores" query={scores} />
  if (!scores.data)
    return (
      <div aria-busy="true" className="flex flex-col gap-2">
        <Skeleton className="h-10 w-full" />
        <Skeleton className="h-10 w-full" />
      </div>
    )
  const listed =
    observationId === undefined
      ? scores.data.scores
      : scores.data.scores.filter((score) => isAbout(score, subject))
  return (
    <div className="flex min-w-0 flex-col gap-3">
      <div className="flex flex-wrap items-center gap-2">
        {canWrite ? (
          <Button size="sm" icon={<Plus aria-hidden />} onPress={onScore}>
            Add score
          </Button>
        ) : (
          <NeedsRole doing="add scores" permission="scores:write" />
        )}
        {!scores.data.isWhole && (
          <span className="text-sm text-text-3">
            The newest {scores.data.scores.length} of the trace.
          </span>
        )}
      </div>
      {listed.length === 0 ? (
        <p className="text-text-3">No scores yet.</p>
      ) : (
        <ul className="flex min-w-0 flex-col divide-y divide-border rounded-md border border-border">
          {listed.map((score) => (
            <li key={score.id} className="flex min-w-0 flex-wrap items-start gap-2 px-3 py-1.5">
              <div className="flex min-w-0 flex-1 flex-col">
                <span className="flex min-w-0 flex-wrap items-baseline gap-x-2">
                  <span className="min-w-0 font-medium break-words">
                    {score.name.slice(0, 200)}
                  </span>
                  <bdi className="tabular min-w-0 break-words">
                    {scoreText(score).slice(0, 500)}
                  </bdi>
                  <Badge>
                    {typeof score.authorUserId === 'string'
                      ? `By ${nameOfMember(score.authorUserId)}`.slice(0, 200)
                      : sourceLabel(score.source)}
                  </Badge>
                  <span className="text-sm text-text-3">
                    <Time at={score.timestamp} />
                  </span>
                </span>
                {(score.comment ?? '') !== '' && (
                  <span dir="auto" className="break-words whitespace-pre-wrap text-text-2">
                    {score.comment}
                  </span>
                )}
                {observationId === undefined && score.subject?.kind === 'observation' && (
                  <span className="truncate text-sm text-text-3">
                    on {nameOf(tree, tree.rowOf.get(score.subject.id) ?? -1) || score.subject.id}
                  </span>
                )}
              </div>
              {canWrite && mayEdit(score) && (
                <IconButton
                  size="sm"
                  label={`Edit ${score.name.slice(0, 100)}`}
                  icon={<Pencil aria-hidden />}
                  onPress={() => setEdited(score.id)}
                />
              )}
              {can('scores:delete') && (
                <IconButton
                  size="sm"
                  label={`Delete ${score.name.slice(0, 100)}`}
                  icon={<Trash2 aria-hidden />}
                  onPress={() => setDeleted(score)}
                />
              )}
              {edited === score.id && (
                <section aria-label={`Edit ${score.name.slice(0, 100)}`} className="w-full py-1">
                  <PutScore
                    projectId={projectId}
                    score={score}
                    onClose={() => setEdited(undefined)}
                  />
                </section>
              )}
            </li>
          ))}
        </ul>
      )}
      <ConfirmChange
        title="Delete the score"
        action="Delete score"
        change={remove}
        variables={deleted && [deleted.id]}
        onClose={() => setDeleted(undefined)}
        onDone={() => toast('Score deleted')}
      >
        {deleted && `${deleted.name.slice(0, 200)}: ${scoreText(deleted).slice(0, 200)}. `}This
        cannot be undone.
      </ConfirmChange>
    </div>
  )
}
