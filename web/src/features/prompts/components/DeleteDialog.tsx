import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { messageOf, projectKey, useRefresh } from '@/shared/api'
import { QueryView } from '@/shared/errors'
import { usePromptDependents } from '@/shared/prompts'
import { Button, Callout, Dialog, DialogActions, Form, linkClass, toast } from '@/shared/ui'
import { deletePrompt } from '../api/changes'
import { namesBelow } from '../api/usePrompts'
import { deleteAll, type Deletion } from '../model/deleteAll'

/** What is to be deleted: prompts, and folders with all that is in them. */
export type Chosen = { prompts: readonly string[]; folders: readonly string[] }

type DeleteDialogProps = {
  projectId: string
  chosen: Chosen | undefined
  onClose: () => void
  onDeleted: () => void
}

/** Asks before prompts are deleted, and says which could not be and why. */
export function DeleteDialog({ projectId, chosen, onClose, onDeleted }: DeleteDialogProps) {
  const [only, another] = chosen?.prompts ?? []
  const title =
    only !== undefined && another === undefined && chosen?.folders.length === 0
      ? `Delete ${only}?`
      : 'Delete prompts?'
  return (
    <Dialog title={title} isOpen={chosen !== undefined} onClose={onClose} role="alertdialog">
      {chosen && (
        <Listing projectId={projectId} chosen={chosen} onClose={onClose} onDeleted={onDeleted} />
      )}
    </Dialog>
  )
}

type ListingProps = Omit<DeleteDialogProps, 'chosen'> & { chosen: Chosen }

/** Folders are looked into first: what is deleted is what the dialog says. */
function Listing(props: ListingProps) {
  const { projectId, chosen } = props
  const names = useQuery({
    queryKey: projectKey(projectId, 'prompts', 'names below', chosen),
    queryFn: async () => {
      const below = await Promise.all(chosen.folders.map((each) => namesBelow(projectId, each)))
      return [...new Set([...chosen.prompts, ...below.flat()])]
    },
    staleTime: 0,
    gcTime: 0,
  })
  return (
    <QueryView query={names} what="the prompts" skeleton="h-16 w-full">
      {(found) => <Confirmation {...props} names={found} />}
    </QueryView>
  )
}

function Confirmation(props: ListingProps & { names: readonly string[] }) {
  const { projectId, onClose, onDeleted } = props
  // The list changes while prompts are deleted; what was confirmed does not.
  const [names] = useState(props.names)
  const [deleted, setDeleted] = useState(0)
  const refresh = useRefresh(projectId)
  const client = useQueryClient()
  const remove = useMutation({
    mutationFn: (): Promise<Deletion> =>
      deleteAll(names, (name) => deletePrompt(projectId, name), setDeleted),
    onSuccess: async (result) => {
      client.removeQueries({ queryKey: projectKey(projectId, 'prompts', 'names below') })
      if (result.failed.length === 0) {
        toast(result.deleted.length === 1 ? 'Prompt deleted' : `${names.length} prompts deleted`, {
          description: 'For 30 days it can be restored from Deleted.',
        })
        onDeleted()
        onClose()
      }
      await refresh('prompts')
    },
  })
  const { data } = remove
  const [only] = names
  if (data && data.failed.length > 0)
    return (
      <div className="flex flex-col gap-3">
        <p className="text-text-2">
          {data.deleted.length === 0
            ? 'Nothing was deleted.'
            : `${data.deleted.length} deleted, ${data.failed.length} not:`}
        </p>
        <ul className="flex max-h-80 flex-col gap-2 overflow-y-auto">
          {data.failed.map(({ name, error }) => (
            <li key={name}>
              <Callout tone="danger" title={name}>
                {messageOf(error)}
                <Dependents projectId={projectId} name={name} />
              </Callout>
            </li>
          ))}
        </ul>
        <DialogActions>
          <Button
            onPress={() => {
              if (data.deleted.length > 0) onDeleted()
              onClose()
            }}
            autoFocus
          >
            Close
          </Button>
        </DialogActions>
      </div>
    )
  return (
    <Form
      onSubmit={() => {
        if (!remove.isPending && names.length > 0) remove.mutate()
      }}
      className="flex flex-col gap-3"
    >
      <p className="text-text-2">
        {names.length === 1 ? (
          <>
            All versions of <bdi className="font-mono text-sm break-all">{only}</bdi> are deleted,
            with their labels. Applications that ask for it get an error.
          </>
        ) : (
          `All versions of ${names.length} prompts are deleted, with their labels. Applications that ask for them get an error.`
        )}{' '}
        For 30 days this can be undone.
      </p>
      {names.length > 1 && (
        <ul className="max-h-40 overflow-y-auto rounded-md border border-border bg-surface-1 px-3 py-1 font-mono text-sm">
          {names.slice(0, shownNames).map((name) => (
            <li key={name} className="truncate">
              {name}
            </li>
          ))}
          {names.length > shownNames && <li>and {names.length - shownNames} more</li>}
        </ul>
      )}
      {remove.isError && <Callout tone="danger">{messageOf(remove.error)}</Callout>}
      <DialogActions>
        <Button onPress={onClose} isDisabled={remove.isPending} autoFocus>
          Cancel
        </Button>
        <Button
          type="submit"
          variant="danger"
          isPending={remove.isPending}
          isDisabled={names.length === 0}
        >
          {remove.isPending && names.length > 1
            ? `${deleted} of ${names.length}`
            : names.length === 1
              ? 'Delete prompt'
              : `Delete ${names.length} prompts`}
        </Button>
      </DialogActions>
    </Form>
  )
}

const shownNames = 100

/** The prompts that refer to one, as links: that is where to go on. */
function Dependents({ projectId, name }: { projectId: string; name: string }) {
  const dependents = usePromptDependents(projectId, name)
  const names = [...new Set(dependents.data?.map((each) => each.name))]
  if (names.length === 0) return null
  return (
    <ul className="mt-1 flex flex-wrap gap-x-3 text-sm">
      {names.slice(0, 20).map((each) => (
        <li key={each}>
          <Link
            to="/project/$projectId/prompts/$promptName"
            params={{ projectId, promptName: each }}
            className={linkClass}
          >
            {each}
          </Link>
        </li>
      ))}
    </ul>
  )
}
