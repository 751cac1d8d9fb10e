import { useMutation } from '@tanstack/react-query'
import { Trash2 } from 'lucide-react'
import { messageOf } from '@/shared/api'
import { QueryView, toastFailure } from '@/shared/errors'
import { Button, Callout, Dialog, IconButton, Time, toast } from '@/shared/ui'
import { openSaved, useDeletePlayground, useSavedList } from '../api/useSaved'
import type { Draft } from '../model/draft'

type OpenDialogProps = {
  projectId: string
  isOpen: boolean
  /** Whether something on the page would be lost. */
  isChanged: boolean
  onClose: () => void
  onOpen: (draft: Draft) => void
}

/** The saved playgrounds of the project. */
export function OpenDialog(props: OpenDialogProps) {
  return (
    <Dialog title="Saved playgrounds" isOpen={props.isOpen} onClose={props.onClose}>
      {props.isOpen && <SavedList {...props} />}
    </Dialog>
  )
}

function SavedList({ projectId, isChanged, onClose, onOpen }: OpenDialogProps) {
  const list = useSavedList(projectId)
  const remove = useDeletePlayground(projectId)
  const open = useMutation({
    mutationFn: (id: string) => openSaved(projectId, id),
    onSuccess: (draft) => {
      onOpen(draft)
      onClose()
    },
  })
  return (
    <div className="flex flex-col gap-3">
      {isChanged && (
        <Callout tone="warning">What is on the page and not saved is replaced.</Callout>
      )}
      {open.isError && <Callout tone="danger">{messageOf(open.error)}</Callout>}
      <QueryView query={list} what="the saved playgrounds" skeleton="h-24 w-full">
        {(saved) =>
          saved.length === 0 ? (
            <p className="text-text-3">Nothing is saved in this project yet.</p>
          ) : (
            <ul className="flex max-h-96 flex-col overflow-y-auto">
              {saved.map((each) => (
                <li key={each.id} className="flex min-w-0 items-center gap-2 py-0.5">
                  <Button
                    variant="ghost"
                    className="min-w-0 flex-1 justify-start"
                    onPress={() => open.mutate(each.id)}
                  >
                    <span className="min-w-0 truncate">{each.name}</span>
                  </Button>
                  <span className="shrink-0 text-sm text-text-3">
                    <Time at={each.updatedAt} />
                  </span>
                  <IconButton
                    size="sm"
                    label={`Delete ${each.name}`}
                    icon={<Trash2 aria-hidden />}
                    onPress={() =>
                      remove.mutate(each.id, {
                        onSuccess: () => toast('Playground deleted'),
                        onError: toastFailure('The playground could not be deleted'),
                      })
                    }
                  />
                </li>
              ))}
            </ul>
          )
        }
      </QueryView>
    </div>
  )
}
