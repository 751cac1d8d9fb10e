import { useBlocker } from '@tanstack/react-router'
import { Button, Dialog, DialogActions } from '@/shared/ui'

type Guarded = {
  isUnsaved: boolean
  /** The same at this very moment: the page may be left as soon as the values were sent, before it is rendered again. */
  hasUnsaved: () => boolean
}

/**
 * Asks before a page is left on which something is unsaved: by a link, by Back, by closing the tab. Another view of the
 * same page is no leaving.
 */
export function UnsavedChanges({
  form,
  note = 'What you changed on this page is lost.',
}: {
  form: Guarded
  /** What becomes of what was changed, if it is not lost. */
  note?: string
}) {
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: ({ current, next }) => form.hasUnsaved() && current.pathname !== next.pathname,
    enableBeforeUnload: form.isUnsaved,
    withResolver: true,
  })
  return (
    <Dialog
      title="Leave without saving?"
      role="alertdialog"
      isOpen={status === 'blocked'}
      onClose={() => reset?.()}
    >
      <p className="pb-3 text-text-2">{note}</p>
      <DialogActions>
        <Button onPress={() => reset?.()} autoFocus>
          Stay
        </Button>
        <Button variant="danger" onPress={() => proceed?.()}>
          Leave
        </Button>
      </DialogActions>
    </Dialog>
  )
}
