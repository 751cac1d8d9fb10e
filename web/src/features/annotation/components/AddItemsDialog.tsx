import { useState } from 'react'
import { messageOf } from '@/shared/api'
import { SubmitForm, useForm } from '@/shared/forms'
import { Dialog, Select, TextField, toast } from '@/shared/ui'
import { useAddItems } from '../api/useQueues'
import { idsIn, idsProblem, objectTypes, type ObjectType } from '../model/queue'

type AddItemsDialogProps = {
  projectId: string
  queueId: string
  isOpen: boolean
  onClose: () => void
}

/** Adds traces, observations or sessions to a queue by their ids. */
export function AddItemsDialog(props: AddItemsDialogProps) {
  return (
    <Dialog title="Add items" isOpen={props.isOpen} onClose={props.onClose}>
      {props.isOpen && <AddForm {...props} />}
    </Dialog>
  )
}

type Draft = { objectType: ObjectType; ids: string }

function AddForm({ projectId, queueId, onClose }: AddItemsDialogProps) {
  const add = useAddItems(projectId, queueId)
  const [problem, setProblem] = useState<string>()
  const form = useForm<Draft>({
    initial: { objectType: 'TRACE', ids: '' },
    check: ({ ids }) => {
      const wrong = idsProblem(ids)
      return wrong === undefined ? {} : { ids: wrong }
    },
    error: add.error,
  })
  const send = ({ objectType, ids: text }: Draft) => {
    const ids = idsIn(text)
    setProblem(undefined)
    add.mutate(
      { objectType, ids },
      {
        onSuccess: (failed) => {
          const [first] = failed
          if (!first) {
            toast(ids.length === 1 ? 'Item added' : `${ids.length} items added`)
            onClose()
            return
          }
          // Those that failed stay, so that they can be added again.
          form.change({ ids: failed.map(({ id }) => id).join('\n') })
          const added = ids.length - failed.length
          setProblem(`${added} added, ${failed.length} not: ${messageOf(first.error)}`)
        },
      },
    )
  }
  return (
    <SubmitForm
      action="Add"
      isPending={add.isPending}
      error={problem ?? form.error}
      onSubmit={() => form.submit(send)}
      onClose={onClose}
    >
      <Select
        label="What they are"
        options={objectTypes}
        value={form.values.objectType}
        onChange={(objectType) => form.change({ objectType })}
      />
      <TextField
        {...form.field('ids')}
        label="Ids"
        description="One per line. Lists of traces and observations add what you select there."
        rows={4}
        autoFocus
      />
    </SubmitForm>
  )
}
