import { ConfirmChange } from '@/shared/forms'
import { toast } from '@/shared/ui'
import { useDeleteQueue } from '../api/useQueues'

type DeleteQueueDialogProps = {
  projectId: string
  /** The dialog is open while it is defined. */
  queue: { id: string; name: string } | undefined
  onClose: () => void
  onDeleted?: () => void | Promise<void>
}

/** Asks for the name before a queue is deleted with its items. */
export function DeleteQueueDialog({
  projectId,
  queue,
  onClose,
  onDeleted,
}: DeleteQueueDialogProps) {
  const remove = useDeleteQueue(projectId)
  return (
    <ConfirmChange
      title="Delete the queue?"
      action="Delete queue"
      typed={queue?.name}
      change={remove}
      variables={queue?.id}
      onClose={onClose}
      onDone={() => {
        toast('Queue deleted')
        return onDeleted?.()
      }}
    >
      <p>
        <bdi className="font-medium">{queue?.name}</bdi> is deleted with the list of its items, and
        what was pending is reviewed no more. This cannot be undone. Traces, scores and comments are
        kept.
      </p>
    </ConfirmChange>
  )
}
