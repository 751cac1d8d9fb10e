import { useState } from 'react'
import { ApiError } from '@/shared/api'
import { SubmitForm } from '@/shared/forms'
import { Button, Callout, Dialog, TextField, toast } from '@/shared/ui'
import { useSavePlayground } from '../api/useSaved'
import type { Draft } from '../model/draft'

type SaveDialogProps = {
  projectId: string
  draft: Draft
  isOpen: boolean
  onClose: () => void
  onSaved: (saved: NonNullable<Draft['saved']>) => void
}

/** Saves the playground under a name, so that it has a URL. */
export function SaveDialog(props: SaveDialogProps) {
  const { isOpen, onClose, draft } = props
  return (
    <Dialog
      title={draft.saved ? 'Save playground' : 'Save as a new playground'}
      isOpen={isOpen}
      onClose={onClose}
    >
      {isOpen && <SaveForm {...props} />}
    </Dialog>
  )
}

function SaveForm({ projectId, draft, onClose, onSaved }: SaveDialogProps) {
  const { state, saved } = draft
  const [name, setName] = useState(saved?.name ?? '')
  const save = useSavePlayground(projectId)
  const isConflict =
    saved !== undefined &&
    save.error instanceof ApiError &&
    /somebody else/i.test(save.error.message)
  const send = (basedOn: string | null) =>
    save.mutate(
      { name: name.trim(), state, ...(saved && { saved: { id: saved.id, basedOn } }) },
      {
        onSuccess: ({ id, name: stored, updatedAt }) => {
          onSaved({ id, name: stored, updatedAt, text: JSON.stringify(state) })
          toast('Playground saved')
          onClose()
        },
      },
    )
  return (
    <SubmitForm
      action="Save"
      isDisabled={name.trim() === ''}
      isPending={save.isPending}
      error={save.error}
      onSubmit={() => send(saved?.updatedAt ?? null)}
      onClose={onClose}
    >
      <TextField
        label="Name"
        value={name}
        onChange={setName}
        maxLength={200}
        autoFocus
        autoComplete="off"
        description="Everybody in the project who may use the playground can open it."
      />
      {isConflict && (
        <Callout
          tone="warning"
          action={
            <Button size="sm" onPress={() => send(null)}>
              Overwrite
            </Button>
          }
        >
          Save under another name with “Save as another playground”, or overwrite what they saved.
        </Callout>
      )}
    </SubmitForm>
  )
}
