import { useState } from 'react'
import { messageOf } from '@/api'
import { LoadError } from '@/features/failures'
import { Button, Dialog, EmptyState, FormLayout, Select, Skeleton, toast } from '@/ui'
import { useAddToQueue, useQueues } from '../api/useTraceChange'

type QueueDialogProps = {
  projectId: string
  traceId: string
  observationId: string | undefined
  isOpen: boolean
  onClose: () => void
}

/** Puts the observation, or the trace, into an annotation queue. */
export function QueueDialog(props: QueueDialogProps) {
  return (
    <Dialog title="Add to annotation queue" isOpen={props.isOpen} onClose={props.onClose}>
      {props.isOpen && <QueueForm {...props} />}
    </Dialog>
  )
}

function QueueForm({ projectId, traceId, observationId, onClose }: QueueDialogProps) {
  const queues = useQueues(projectId, true)
  const add = useAddToQueue(projectId, traceId)
  const [queueId, setQueueId] = useState<string | null>(null)
  if (queues.isError) return <LoadError title="The queues could not be loaded" query={queues} />
  if (!queues.data) return <Skeleton className="h-24 w-full" />
  if (queues.data.length === 0)
    return (
      <EmptyState title="No annotation queues yet">
        A program creates one with POST /api/public/annotation-queues.
      </EmptyState>
    )
  const send = () => {
    if (queueId === null || add.isPending) return
    add.mutate(
      { queueId, observationId },
      {
        onSuccess: () => {
          toast('Added to the queue')
          onClose()
        },
      },
    )
  }
  return (
    <FormLayout
      wide
      onSubmit={send}
      error={add.error ? messageOf(add.error) : undefined}
      actions={
        <>
          <Button
            type="submit"
            variant="primary"
            isPending={add.isPending}
            isDisabled={queueId === null}
          >
            Add
          </Button>
          <Button onPress={onClose}>Cancel</Button>
        </>
      }
    >
      <Select
        label="Queue"
        options={queues.data.map(({ id, name, description }) => ({
          id,
          label: name,
          description: description ?? undefined,
        }))}
        value={queueId}
        onChange={setQueueId}
      />
    </FormLayout>
  )
}
