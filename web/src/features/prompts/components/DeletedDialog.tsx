import { RotateCcw } from 'lucide-react'
import { messageOf } from '@/shared/api'
import { QueryView } from '@/shared/errors'
import { authorName } from '@/shared/prompts'
import { Badge, Button, Callout, Dialog, Time, toast } from '@/shared/ui'
import { useDeletions, useRestore, type Deletion } from '../api/useDeletions'
import { restoredText, versionsText } from '../model/deletions'

type DeletedDialogProps = {
  projectId: string
  isOpen: boolean
  mayWrite: boolean
  onClose: () => void
}

/** What was deleted in the last 30 days, to be restored. */
export function DeletedDialog({ projectId, isOpen, mayWrite, onClose }: DeletedDialogProps) {
  return (
    <Dialog title="Deleted prompts" size="lg" isOpen={isOpen} onClose={onClose}>
      {isOpen && <Deletions projectId={projectId} mayWrite={mayWrite} />}
    </Dialog>
  )
}

function Deletions({ projectId, mayWrite }: { projectId: string; mayWrite: boolean }) {
  const deletions = useDeletions(projectId)
  const rows = deletions.data?.pages.flatMap((page) => page.deletions)
  return (
    <QueryView
      query={{ ...deletions, data: rows }}
      what="the deleted prompts"
      skeleton="h-24 w-full"
    >
      {(found) =>
        found.length === 0 ? (
          <p className="text-text-3">Nothing was deleted in the last 30 days.</p>
        ) : (
          <div className="flex flex-col gap-2">
            <p className="text-text-2">
              Versions come back with their numbers, labels and tags. Labels that other versions
              have by now stay there.
            </p>
            <ul className="flex max-h-[60vh] flex-col overflow-y-auto">
              {found.map((deletion) => (
                <DeletionRow
                  key={deletion.id}
                  projectId={projectId}
                  deletion={deletion}
                  mayWrite={mayWrite}
                />
              ))}
            </ul>
            {deletions.hasNextPage && (
              <Button
                size="sm"
                className="self-start"
                isPending={deletions.isFetchingNextPage}
                onPress={() => void deletions.fetchNextPage()}
              >
                Show more
              </Button>
            )}
          </div>
        )
      }
    </QueryView>
  )
}

type DeletionRowProps = { projectId: string; deletion: Deletion; mayWrite: boolean }

function DeletionRow({ projectId, deletion, mayWrite }: DeletionRowProps) {
  const restore = useRestore(projectId)
  return (
    <li className="flex min-w-0 flex-col gap-1 border-b border-border py-2 last:border-b-0">
      <div className="flex min-w-0 items-center gap-3">
        <div className="flex min-w-0 flex-1 flex-col">
          <span className="flex min-w-0 items-center gap-1.5">
            <bdi className="min-w-0 truncate font-medium">{deletion.name}</bdi>
            <span className="shrink-0 text-sm text-text-3">{versionsText(deletion)}</span>
            {deletion.labels.map((label) => (
              <Badge key={label}>{label}</Badge>
            ))}
          </span>
          <span className="text-sm text-text-3">
            <Time at={deletion.deletedAt} /> by {authorName(deletion.deletedBy)} · gone for good{' '}
            <Time at={deletion.expiresAt} upcoming words />
          </span>
        </div>
        {mayWrite && (
          <Button
            size="sm"
            icon={<RotateCcw aria-hidden />}
            aria-label={`Restore ${deletion.name}, ${versionsText(deletion)}`}
            isPending={restore.isPending}
            onPress={() =>
              restore.mutate(deletion.id, {
                onSuccess: (restored) =>
                  toast(`${restored.name} restored`, { description: restoredText(restored) }),
              })
            }
          >
            Restore
          </Button>
        )}
      </div>
      {restore.isError && <Callout tone="danger">{messageOf(restore.error)}</Callout>}
    </li>
  )
}
