import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import { messageOf } from '@/shared/api'
import { ConfirmChange } from '@/shared/forms'
import { useProject } from '@/shared/currentUser'
import { countOf } from '@/shared/lib/format'
import { Button, toast } from '@/shared/ui'
import { useDeleteTracesOf, useTraceCountOf, type Entity } from './api/useDeletion'

/** A button that deletes all traces of a session or a user, after showing how many there are. */
export function DeleteTracesOf({ entity, noun }: { entity: Entity; noun: string }) {
  const { project, can } = useProject()
  const [isOpen, setIsOpen] = useState(false)
  const owned = useTraceCountOf(project.id, entity, isOpen)
  const remove = useDeleteTracesOf(project.id)
  if (!can('traces:delete')) return null
  return (
    <>
      <Button
        icon={<Trash2 aria-hidden />}
        isDisabled={owned.isFetching}
        onPress={() => setIsOpen(true)}
      >
        Delete traces
      </Button>
      {owned.isError && isOpen && (
        <span role="alert" className="text-sm text-danger">
          {messageOf(owned.error)}
        </span>
      )}
      <ConfirmChange
        title={`Delete all traces of the ${noun}`}
        action="Delete traces"
        typed={owned.data === undefined ? undefined : String(owned.data.traces)}
        change={remove}
        variables={
          isOpen && owned.data !== undefined ? { entity, asOf: owned.data.asOf } : undefined
        }
        onClose={() => setIsOpen(false)}
        onDone={() => toast(`The traces of the ${noun} are deleted`)}
      >
        {owned.data !== undefined && (
          <p>
            {owned.data.done ? '' : 'At least '}
            {countOf(owned.data.traces, 'trace')} from all time, not only the range above, and
            everything in them
            {owned.data.scores > 0 &&
              `, and ${countOf(owned.data.scores, 'score')} of the ${noun} itself`}
            . This cannot be undone. Data that arrives later is not affected.
          </p>
        )}
      </ConfirmChange>
    </>
  )
}
