import { useMutation, useQueryClient } from '@tanstack/react-query'
import { projectKey } from '@/shared/api'
import { Dialog, toast } from '@/shared/ui'
import { addDatasetItem, createDataset, type ItemSource } from './api/add'
import { DatasetForm, type DatasetChoice } from './components/DatasetForm'

type DatasetDialogProps = {
  projectId: string
  source: ItemSource
  isOpen: boolean
  onClose: () => void
}

/** Creates a dataset item from an observation or a trace. */
export function DatasetDialog(props: DatasetDialogProps) {
  return (
    <Dialog title="Add to dataset" isOpen={props.isOpen} onClose={props.onClose}>
      {props.isOpen && <AddItem {...props} />}
    </Dialog>
  )
}

function AddItem({ projectId, source, onClose }: DatasetDialogProps) {
  const client = useQueryClient()
  const add = useMutation({
    mutationFn: async (choice: DatasetChoice) => {
      if (choice.isNew) await createDataset(projectId, choice.datasetName)
      return addDatasetItem(projectId, source, choice)
    },
    onSuccess: (_, { datasetName }) => {
      toast(`Added to ${datasetName.slice(0, 100)}`)
      onClose()
      return client.invalidateQueries({ queryKey: projectKey(projectId, 'datasets') })
    },
  })
  return (
    <DatasetForm
      projectId={projectId}
      isPending={add.isPending}
      error={add.error}
      onSubmit={add.mutate}
      onClose={onClose}
    />
  )
}
