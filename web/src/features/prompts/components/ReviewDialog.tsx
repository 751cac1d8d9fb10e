import { messageOf } from '@/shared/api'
import { PromptDiff } from '@/shared/prompts'
import { Button, Callout, Dialog, DialogActions } from '@/shared/ui'
import { bodyOf, prettyBody, type Draft } from '../model/draft'
import type { Base } from './PromptEditor'

type ReviewDialogProps = {
  isOpen: boolean
  draft: Draft
  base: Base
  isPending: boolean
  error: unknown
  onSave: () => void
  onClose: () => void
}

/** What the new version changes, before it is saved. */
export function ReviewDialog(props: ReviewDialogProps) {
  const { draft, base, isPending, error } = props
  const isProduction = draft.labels.includes('production')
  return (
    <Dialog
      title={`Save a version of ${draft.name}`}
      size="lg"
      isOpen={props.isOpen}
      isDismissable={!isPending}
      onClose={props.onClose}
    >
      <div className="flex min-w-0 flex-col gap-4">
        <div className="max-h-[50vh] min-w-0 overflow-y-auto">
          <PromptDiff
            before={prettyBody(base.body)}
            after={bodyOf(draft)}
            names={[`Version ${base.version}`, 'New version']}
          />
        </div>
        {isProduction && (
          <Callout tone="warning" title="This goes into production">
            Applications that ask for production get the new version
            {base.labels.production !== undefined &&
              ` instead of version ${base.labels.production}`}
            .
          </Callout>
        )}
        {draft.labels.length > 0 && (
          <p className="text-text-2">Labels: {draft.labels.join(', ')}</p>
        )}
        {error !== null && error !== undefined && (
          <Callout tone="danger" title="Not saved">
            {messageOf(error)}
          </Callout>
        )}
        <DialogActions>
          <Button onPress={props.onClose} isDisabled={isPending}>
            Go on editing
          </Button>
          <Button variant="primary" onPress={props.onSave} isPending={isPending} autoFocus>
            {isProduction ? 'Save and put into production' : 'Save version'}
          </Button>
        </DialogActions>
      </div>
    </Dialog>
  )
}
