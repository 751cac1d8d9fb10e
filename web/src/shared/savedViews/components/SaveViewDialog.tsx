import { useState } from 'react'
import { messageOf } from '@/shared/api'
import { Button, Callout, Checkbox, Dialog, DialogActions, Form, TextField } from '@/shared/ui'

export type SaveValues = { name: string; shared: boolean; withTime: boolean }

type SaveViewDialogProps = {
  title: string
  initial: SaveValues
  /** Whether the user may share the view with the project. */
  canShare: boolean
  /** False for an existing view, which keeps its time range. */
  asksForTime: boolean
  isPending: boolean
  error: unknown
  onSave: (values: SaveValues) => void
  onClose: () => void
}

/** Asks for the name of a view and who may see it. */
export function SaveViewDialog(props: SaveViewDialogProps) {
  const { title, initial, canShare, asksForTime, isPending, error, onSave, onClose } = props
  const [values, setValues] = useState(initial)
  return (
    <Dialog title={title} isOpen onClose={onClose} isDismissable={!isPending}>
      <Form
        className="flex flex-col gap-3"
        onSubmit={() => {
          if (values.name.trim() !== '' && !isPending) onSave(values)
        }}
      >
        <TextField
          label="Name"
          value={values.name}
          onChange={(name) => setValues({ ...values, name })}
          maxLength={100}
          autoFocus
        />
        {canShare && (
          <Checkbox
            isSelected={values.shared}
            onChange={(shared) => setValues({ ...values, shared })}
            description="Otherwise only you see it."
          >
            For everybody in the project
          </Checkbox>
        )}
        {asksForTime && (
          <Checkbox
            isSelected={values.withTime}
            onChange={(withTime) => setValues({ ...values, withTime })}
            description="Otherwise the view uses the current time range when it is opened."
          >
            Include the time range
          </Checkbox>
        )}
        {error !== null && <Callout tone="danger">{messageOf(error)}</Callout>}
        <DialogActions>
          <Button onPress={onClose} isDisabled={isPending}>
            Cancel
          </Button>
          <Button
            type="submit"
            variant="primary"
            isDisabled={values.name.trim() === ''}
            isPending={isPending}
          >
            Save
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  )
}
