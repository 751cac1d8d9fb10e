import { messageOf } from '@/shared/api'
import { Diff } from '@/shared/diff'
import { Button, Callout, Dialog, DialogActions } from '@/shared/ui'

type ConflictDialogProps<V> = {
  /** What was edited: "Prompt". */
  label: string
  conflict: { mine: V; theirs: { values: V } } | undefined
  /** The values as text or JSON, for the difference. */
  textOf: (values: V) => string
  isPending: boolean
  error?: unknown
  onKeepMine: () => void
  onTakeTheirs: () => void
  onDismiss: () => void
}

/** Shows what somebody else has saved in the meantime, and lets the user decide between both. */
export function ConflictDialog<V>(props: ConflictDialogProps<V>) {
  const { label, conflict, textOf, isPending, error } = props
  return (
    <Dialog
      title="Somebody else has saved in the meantime"
      role="alertdialog"
      size="lg"
      isOpen={conflict !== undefined}
      isDismissable={!isPending}
      onClose={props.onDismiss}
    >
      {conflict && (
        <div className="flex flex-col gap-3">
          <Diff
            label={label}
            before={textOf(conflict.theirs.values)}
            after={textOf(conflict.mine)}
            names={['Theirs', 'Mine']}
            maxHeight={320}
          />
          {error !== undefined && <Callout tone="danger">{messageOf(error)}</Callout>}
          <DialogActions>
            <Button onPress={props.onDismiss} isDisabled={isPending} autoFocus>
              Go on editing
            </Button>
            <Button onPress={props.onTakeTheirs} isDisabled={isPending}>
              Take theirs
            </Button>
            <Button variant="danger" onPress={props.onKeepMine} isPending={isPending}>
              Keep mine
            </Button>
          </DialogActions>
        </div>
      )}
    </Dialog>
  )
}
