import { Dialog } from '@/shared/ui'
import { PutScore } from './components/PutScore'
import type { Score, Scored } from './model/scoring'

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
