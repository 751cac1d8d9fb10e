import { keepUnsent } from '@/shared/lib/drafts'
import { toast } from '@/shared/ui'
import { usePutScore } from '../api/useScoreChange'
import { changedScore, newScore, type Score, type Scored } from '../model/scoring'
import { ScoreForm } from './ScoreForm'

type PutScoreProps = {
  projectId: string
  /** The score to change, or the object of a new one. */
  score: Score | Scored
  onClose: () => void
}

/** The form that adds or changes a score. */
export function PutScore({ projectId, score, onClose }: PutScoreProps) {
  const put = usePutScore(projectId)
  const before = 'id' in score ? score : undefined
  const keptAs = `${projectId} score ${before ? before.id : `of ${JSON.stringify(score)}`}`
  return (
    <ScoreForm
      projectId={projectId}
      score={before}
      action={before ? 'Save' : 'Add score'}
      isPending={put.isPending}
      error={put.error}
      keptAs={keptAs}
      onSubmit={(values, config) =>
        put.mutate('id' in score ? changedScore(score, values) : newScore(values, config, score), {
          onSuccess: () => {
            keepUnsent(keptAs, undefined)
            toast(before ? 'Score changed' : 'Score added')
            onClose()
          },
        })
      }
      onClose={onClose}
    />
  )
}
