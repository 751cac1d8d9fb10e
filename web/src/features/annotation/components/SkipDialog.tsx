import { useState } from 'react'
import { SubmitForm } from '@/shared/forms'
import { Dialog, TextField } from '@/shared/ui'

type SkipDialogProps = {
  isOpen: boolean
  isPending: boolean
  error: unknown
  onSkip: (reason: string) => void
  onClose: () => void
}

/** Asks why an item is skipped; the reason may be left out. */
export function SkipDialog({ isOpen, onClose, ...form }: SkipDialogProps) {
  return (
    <Dialog title="Skip this item" isOpen={isOpen} onClose={onClose}>
      {isOpen && <SkipForm {...form} onClose={onClose} />}
    </Dialog>
  )
}

function SkipForm({ isPending, error, onSkip, onClose }: Omit<SkipDialogProps, 'isOpen'>) {
  const [reason, setReason] = useState('')
  return (
    <SubmitForm
      action="Skip"
      isPending={isPending}
      error={error}
      onSubmit={() => onSkip(reason.trim())}
      onClose={onClose}
    >
      <TextField
        label="Why"
        description="Optional. Others still get the item, and you can come back to it."
        value={reason}
        onChange={setReason}
        maxLength={1000}
        autoFocus
        autoComplete="off"
      />
    </SubmitForm>
  )
}
