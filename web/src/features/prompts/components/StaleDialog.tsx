import { messageOf } from '@/shared/api'
import { QueryView } from '@/shared/errors'
import { authorName, PromptDiff, usePromptVersion } from '@/shared/prompts'
import { Button, Callout, Dialog, DialogActions, Time } from '@/shared/ui'
import type { Stale } from '../api/useEditing'
import { bodyOf, contentOf, prettyBody, type Draft } from '../model/draft'

type StaleDialogProps = {
  projectId: string
  /** What was saved since; the dialog is open while it is defined. */
  stale: Stale | undefined
  draft: Draft
  isPending: boolean
  error: unknown
  /** Saves the draft after this version. */
  onSave: (base: number | null) => void
  /** Takes the content of the newest version instead. */
  onTake: (theirs: ReturnType<typeof contentOf> & { base: number }) => void
  onClose: () => void
}

/** Somebody else has saved a version: shows it beside the draft, and lets the user decide. Nothing is lost either way. */
export function StaleDialog(props: StaleDialogProps) {
  const { stale, isPending } = props
  return (
    <Dialog
      title={
        stale?.newest === null
          ? 'The prompt was deleted in the meantime'
          : 'Somebody else has saved in the meantime'
      }
      role="alertdialog"
      size="lg"
      isOpen={stale !== undefined}
      isDismissable={!isPending}
      onClose={props.onClose}
    >
      {stale &&
        (stale.newest === null ? (
          <Deleted {...props} />
        ) : (
          <Theirs {...props} stale={stale} newest={stale.newest} />
        ))}
    </Dialog>
  )
}

function Deleted({ onSave, onClose, isPending, error }: StaleDialogProps) {
  return (
    <div className="flex flex-col gap-3">
      <p className="text-text-2">
        What you have written can begin the prompt again as version 1. What was deleted can be
        restored for 30 days.
      </p>
      <Failure error={error} />
      <DialogActions>
        <Button onPress={onClose} isDisabled={isPending} autoFocus>
          Go on editing
        </Button>
        <Button variant="primary" onPress={() => onSave(null)} isPending={isPending}>
          Save it as a new prompt
        </Button>
      </DialogActions>
    </div>
  )
}

function Theirs(props: StaleDialogProps & { stale: Stale; newest: number }) {
  const { projectId, stale, newest, draft, isPending } = props
  const theirs = usePromptVersion(projectId, draft.name.trim(), newest)
  return (
    <div className="flex min-w-0 flex-col gap-3">
      <ul className="flex flex-col gap-0.5">
        {stale.since.map((version) => (
          <li key={version.id} className="min-w-0 text-text-2">
            <span className="tabular font-medium">Version {version.version}</span> by{' '}
            <bdi>{authorName(version.createdBy)}</bdi>, <Time at={version.createdAt} />
            {version.commitMessage !== null && <bdi>: {version.commitMessage}</bdi>}
          </li>
        ))}
      </ul>
      <QueryView query={theirs} what="their version" skeleton="h-40 w-full">
        {(version) => (
          <>
            <div className="max-h-[45vh] min-w-0 overflow-y-auto">
              <PromptDiff
                before={prettyBody(version.body)}
                after={bodyOf(draft)}
                names={[`Version ${newest}, theirs`, 'Mine']}
              />
            </div>
            <Failure error={props.error} />
            <DialogActions>
              <Button onPress={props.onClose} isDisabled={isPending} autoFocus>
                Go on editing
              </Button>
              <Button
                onPress={() => props.onTake({ ...contentOf(version.body), base: newest })}
                isDisabled={isPending}
              >
                Take theirs
              </Button>
              <Button
                variant="primary"
                onPress={() => props.onSave(newest)}
                isPending={isPending}
                isDisabled={version.body.type !== draft.type}
              >
                Save mine as the next version
              </Button>
            </DialogActions>
            <p className="text-sm text-text-3">Theirs stays version {newest} in either case.</p>
          </>
        )}
      </QueryView>
    </div>
  )
}

function Failure({ error }: { error: unknown }) {
  return error === null || error === undefined ? null : (
    <Callout tone="danger">{messageOf(error)}</Callout>
  )
}
