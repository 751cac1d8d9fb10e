import { useState } from 'react'
import { LoadError } from '@/shared/errors'
import { Button, EmptyState, FormLayout, Select, Skeleton } from '@/shared/ui'
import { useQueues } from '../api/useQueues'
import type { FormProps } from './FormProps'

/** Asks for an annotation queue. */
export function QueueForm(props: FormProps<string>) {
  const { projectId, count, isPending, error, onSubmit, onClose } = props
  const queues = useQueues(projectId)
  const [queueId, setQueueId] = useState<string | null>(null)
  if (queues.isError) return <LoadError title="Couldn’t load the queues" query={queues} />
  if (!queues.data) return <Skeleton className="h-24 w-full" />
  if (queues.data.length === 0)
    return (
      <EmptyState title="No annotation queues yet">
        Create one with POST /api/public/annotation-queues.
      </EmptyState>
    )
  return (
    <FormLayout
      wide
      onSubmit={() => queueId !== null && !isPending && onSubmit(queueId)}
      error={error}
      actions={
        <>
          <Button
            type="submit"
            variant="primary"
            isPending={isPending}
            isDisabled={queueId === null}
          >
            {count === undefined ? 'Add' : `Add ${count}`}
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
