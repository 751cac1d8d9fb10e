import { keepUnsent } from '@/shared/lib/drafts'
import { Dialog, toast } from '@/shared/ui'
import { usePutScore } from './api/useScoreChange'
import { ScoreForm } from './components/ScoreForm'
import { changedScore, newScore, type Score, type Scored } from './model/scoring'

type ScoreDialogProps = {
  projectId: string
  /** The score to change, or the object of a new one; undefined closes the dialog. */
  score: Score | Scored | undefined
  onClose: () => void
}

/** Adds or changes a score. */
export function ScoreDialog({ projectId, score, onClose }: ScoreDialogProps) {
  return (
    <Dialog
      title={score && 'id' in score ? `Edit ${score.name.slice(0, 100)}` : 'Add score'}
      isOpen={score !== undefined}
      onClose={onClose}
    >
      {score && <PutScore projectId={projectId} score={score} onClose={onClose} />}
    </Dialog>
  )
}

type PutScoreProps = ScoreDialogProps & { score: Score | Scored }

function PutScore({ projectId, score, onClose }: PutScoreProps) {
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
