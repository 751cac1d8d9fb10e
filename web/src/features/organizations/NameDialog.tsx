import type { UseMutationResult } from '@tanstack/react-query'
import { useForm } from '@/shared/forms'
import { Button, Callout, Dialog, DialogActions, Form, TextField } from '@/shared/ui'

type NameDialogProps<T> = {
  title: string
  action: string
  maxLength: number
  isOpen: boolean
  onClose: () => void
  create: Pick<UseMutationResult<T, Error, string>, 'mutate' | 'reset' | 'isPending' | 'error'>
  onCreated: (made: T) => void
}

/** Asks for a name and creates something with it. */
export function NameDialog<T>(props: NameDialogProps<T>) {
  const close = () => {
    props.onClose()
    props.create.reset()
  }
  return (
    <Dialog
      title={props.title}
      isOpen={props.isOpen}
      onClose={close}
      isDismissable={!props.create.isPending}
    >
      <NameForm {...props} onClose={close} />
    </Dialog>
  )
}

/** Mounted while the dialog is open, so that it starts empty. */
function NameForm<T>({ action, maxLength, onClose, create, onCreated }: NameDialogProps<T>) {
  const form = useForm({ initial: { name: '' }, error: create.error })
  const name = form.values.name.trim()
  return (
    <Form
      noValidate
      onSubmit={() => {
        if (name !== '' && !create.isPending) create.mutate(name, { onSuccess: onCreated })
      }}
      className="flex flex-col gap-3"
    >
      <TextField
        {...form.field('name')}
        label="Name"
        autoFocus
        autoComplete="off"
        maxLength={maxLength}
      />
      {form.error !== undefined && <Callout tone="danger">{form.error}</Callout>}
      <DialogActions>
        <Button onPress={onClose} isDisabled={create.isPending}>
          Cancel
        </Button>
        <Button
          type="submit"
          variant="primary"
          isDisabled={name === ''}
          isPending={create.isPending}
        >
          {action}
        </Button>
      </DialogActions>
    </Form>
  )
}
