import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { LoadError } from '@/shared/errors'
import { EmptyState, linkClass, Select, Skeleton } from '@/shared/ui'
import { SubmitForm } from '@/shared/forms'
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
        <Link
          to="/project/$projectId/annotation-queues"
          params={{ projectId }}
          className={linkClass}
        >
          Create one
        </Link>
        , and come back.
      </EmptyState>
    )
  return (
    <SubmitForm
      action={count === undefined ? 'Add' : `Add ${count}`}
      isDisabled={queueId === null}
      isPending={isPending}
      onSubmit={() => queueId !== null && onSubmit(queueId)}
      error={error}
      onClose={onClose}
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
    </SubmitForm>
  )
}
