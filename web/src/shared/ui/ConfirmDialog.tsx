import { useState, type ReactNode } from 'react'
import { Button } from './Button'
import { Callout } from './Callout'
import { Dialog } from './Dialog'
import { DialogActions } from './DialogActions'
import { Form } from './Form'
import { TextField } from './TextField'

type ConfirmDialogProps = {
  title: string
  isOpen: boolean
  onClose: () => void
  onConfirm: () => void
  /** The label of the button, beginning with a verb: "Delete project". */
  action: string
  /** What has to be typed before the button is enabled; for large changes that cannot be undone. */
  typed?: string
  isPending?: boolean
  error?: string
  children: ReactNode
}

/** Asks before something that cannot be undone. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { title, isOpen, onClose, isPending } = props
  return (
    <Dialog
      title={title}
      isOpen={isOpen}
      onClose={onClose}
      isDismissable={!isPending}
      role="alertdialog"
    >
      <ConfirmForm {...props} />
    </Dialog>
  )
}

/** Mounted while the dialog is open, so that what was typed is gone the next time. */
function ConfirmForm({
  onClose,
  onConfirm,
  action,
  typed,
  isPending,
  error,
  children,
}: ConfirmDialogProps) {
  const [text, setText] = useState('')
  const isReady = typed === undefined || text === typed
  return (
    <Form
      onSubmit={() => {
        if (isReady && !isPending) onConfirm()
      }}
      className="flex flex-col gap-3"
    >
      <div className="text-text-2">{children}</div>
      {typed !== undefined && (
        <TextField
          label={
            <>
              Type <span className="font-mono text-text-1 select-all">{typed}</span> to confirm
            </>
          }
          value={text}
          onChange={setText}
          autoFocus
          autoComplete="off"
        />
      )}
      {error !== undefined && <Callout tone="danger">{error}</Callout>}
      <DialogActions>
        <Button onPress={onClose} isDisabled={isPending} autoFocus={typed === undefined}>
          Cancel
        </Button>
        <Button type="submit" variant="danger" isDisabled={!isReady} isPending={isPending}>
          {action}
        </Button>
      </DialogActions>
    </Form>
  )
}
