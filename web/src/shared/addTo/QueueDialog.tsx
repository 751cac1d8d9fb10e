import { useMutation } from '@tanstack/react-query'
import { Dialog, toast } from '@/shared/ui'
import { addQueueItem, type Subject } from './api/add'
import { QueueForm } from './components/QueueForm'

type QueueDialogProps = Subject & { projectId: string; isOpen: boolean; onClose: () => void }

/** Adds the observation, or the trace, to an annotation queue. */
export function QueueDialog(props: QueueDialogProps) {
  return (
    <Dialog title="Add to annotation queue" isOpen={props.isOpen} onClose={props.onClose}>
      {props.isOpen && <AddItem {...props} />}
    </Dialog>
  )
}

function AddItem({ projectId, traceId, observationId, onClose }: QueueDialogProps) {
  const add = useMutation({
    mutationFn: (queueId: string) => addQueueItem(projectId, queueId, { traceId, observationId }),
    onSuccess: () => {
      toast('Added to the queue')
      onClose()
    },
  })
  return (
    <QueueForm
      projectId={projectId}
      isPending={add.isPending}
      error={add.error}
      onSubmit={add.mutate}
      onClose={onClose}
    />
  )
}
