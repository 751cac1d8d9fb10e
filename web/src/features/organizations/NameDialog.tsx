import { useState } from 'react'
import { Button, Callout, Dialog, DialogActions, TextField } from '@/ui'

type NameDialogProps = {
  title: string
  label: string
  action: string
  maxLength: number
  isOpen: boolean
  isPending: boolean
  error?: string
  onClose: () => void
  onName: (name: string) => void
}

/** Asks for the name of something new. */
export function NameDialog(props: NameDialogProps) {
  return (
    <Dialog
      title={props.title}
      isOpen={props.isOpen}
      onClose={props.onClose}
      isDismissable={!props.isPending}
    >
      <NameForm {...props} />
    </Dialog>
  )
}

/** Mounted while the dialog is open, so that it starts empty. */
function NameForm({
  label,
  action,
  maxLength,
  isPending,
  error,
  onClose,
  onName,
}: NameDialogProps) {
  const [name, setName] = useState('')
  const trimmed = name.trim()
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (trimmed !== '' && !isPending) onName(trimmed)
      }}
      className="flex flex-col gap-3"
    >
      <TextField
        label={label}
        value={name}
        onChange={setName}
        autoFocus
        autoComplete="off"
        maxLength={maxLength}
      />
      {error !== undefined && <Callout tone="danger">{error}</Callout>}
      <DialogActions>
        <Button onPress={onClose} isDisabled={isPending}>
          Cancel
        </Button>
        <Button type="submit" variant="primary" isDisabled={trimmed === ''} isPending={isPending}>
          {action}
        </Button>
      </DialogActions>
    </form>
  )
}
