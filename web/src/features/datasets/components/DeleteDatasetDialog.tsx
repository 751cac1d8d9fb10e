import { ConfirmChange } from '@/shared/forms'
import { toast } from '@/shared/ui'
import { useDeleteDataset } from '../api/useDatasets'

type DeleteDatasetDialogProps = {
  projectId: string
  /** The dialog is open while it is defined. */
  dataset: { id: string; name: string; items: number } | undefined
  onClose: () => void
  onDeleted?: () => void | Promise<void>
}

/** Asks for the name before a dataset is deleted with all that belongs to it. */
export function DeleteDatasetDialog(props: DeleteDatasetDialogProps) {
  const { projectId, dataset, onClose, onDeleted } = props
  const remove = useDeleteDataset(projectId)
  return (
    <ConfirmChange
      title="Delete the dataset?"
      action="Delete dataset"
      typed={dataset?.name}
      change={remove}
      variables={dataset?.id}
      onClose={onClose}
      onDone={() => {
        toast('Dataset deleted')
        return onDeleted?.()
      }}
    >
      <p>
        <bdi className="font-medium">{dataset?.name}</bdi> is deleted with{' '}
        {dataset?.items === 1 ? 'its item' : `its ${dataset?.items ?? 0} active items`}, archived
        items, and earlier versions of all of them. This cannot be undone. Traces of its runs are
        kept.
      </p>
    </ConfirmChange>
  )
}
