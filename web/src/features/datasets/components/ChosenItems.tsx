import { Archive, ArchiveRestore, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useAccess } from '@/shared/currentUser'
import { toastFailure } from '@/shared/errors'
import { ConfirmChange } from '@/shared/forms'
import { countOf } from '@/shared/lib/format'
import { Button, toast } from '@/shared/ui'
import { useDeleteItems, useSetItemsStatus } from '../api/useItems'

type ChosenItemsProps = {
  projectId: string
  datasetId: string
  ids: string[]
  onDone: () => void
}

/** The server changes so many items at once. */
const maxChosen = 1000

/** What can be done with the items that are selected. */
export function ChosenItems({ projectId, datasetId, ids, onDone }: ChosenItemsProps) {
  const { can } = useAccess()
  const set = useSetItemsStatus(projectId, datasetId)
  const remove = useDeleteItems(projectId, datasetId)
  const [isDeleting, setDeleting] = useState(false)
  const isTooMany = ids.length > maxChosen
  const change = (status: 'ACTIVE' | 'ARCHIVED') =>
    set.mutate(
      { ids, status },
      {
        onSuccess: ({ changed }) => {
          const what = status === 'ACTIVE' ? 'restored' : 'archived'
          toast(changed === 0 ? `They were ${what} already` : `${countOf(changed, 'item')} ${what}`)
          onDone()
        },
        onError: toastFailure('The items were not changed'),
      },
    )
  if (isTooMany)
    return <span className="text-sm text-text-2">Up to {maxChosen} items are changed at once.</span>
  return (
    <>
      <Button
        size="sm"
        icon={<Archive aria-hidden />}
        isPending={set.isPending}
        onPress={() => change('ARCHIVED')}
      >
        Archive
      </Button>
      <Button
        size="sm"
        icon={<ArchiveRestore aria-hidden />}
        isPending={set.isPending}
        onPress={() => change('ACTIVE')}
      >
        Restore
      </Button>
      {can('datasets:delete') && (
        <Button
          size="sm"
          variant="danger"
          icon={<Trash2 aria-hidden />}
          onPress={() => setDeleting(true)}
        >
          Delete
        </Button>
      )}
      <ConfirmChange
        title={`Delete ${countOf(ids.length, 'item')}?`}
        action="Delete"
        change={remove}
        variables={isDeleting ? ids : undefined}
        onClose={() => setDeleting(false)}
        onDone={() => {
          toast(`${countOf(ids.length, 'item')} deleted`)
          onDone()
        }}
      >
        <p>
          Earlier runs keep their results. Archive items instead if they shall only be left out of
          new runs.
        </p>
      </ConfirmChange>
    </>
  )
}
