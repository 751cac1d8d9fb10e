import { ConfirmDialog } from '@/shared/ui'

type ConfirmResetProps = { isOpen: boolean; onClose: () => void; onConfirm: () => void }

export function ConfirmReset({ isOpen, onClose, onConfirm }: ConfirmResetProps) {
  return (
    <ConfirmDialog
      title="Start over?"
      action="Start over"
      isOpen={isOpen}
      onClose={onClose}
      onConfirm={() => {
        onConfirm()
        onClose()
      }}
    >
      All windows and variables are emptied. What you saved stays saved, and runs keep their traces.
    </ConfirmDialog>
  )
}
