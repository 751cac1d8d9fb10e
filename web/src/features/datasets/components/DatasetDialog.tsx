import { useState } from 'react'
import { Editor } from '@/shared/editor'
import { QueryView } from '@/shared/errors'
import { SubmitForm, useForm } from '@/shared/forms'
import { prettyText } from '@/shared/io'
import { Dialog, TextField, toast } from '@/shared/ui'
import { useChangeDataset, useCreateDataset, useDataset } from '../api/useDatasets'
import {
  changeOf,
  draftOf,
  draftProblems,
  newDraft,
  type DatasetDetails,
  type DatasetDraft,
} from '../model/draft'

/** A new dataset in a folder, or one to change. */
export type Edited = { kind: 'new'; folder: string | undefined } | { kind: 'change'; id: string }

type DatasetDialogProps = {
  projectId: string
  /** The dialog is open while it is defined. */
  edited: Edited | undefined
  onClose: () => void
  onCreated?: (dataset: DatasetDetails) => void
}

/** Creates a dataset, or changes its name, description, metadata and schemas. */
export function DatasetDialog({ projectId, edited, onClose, onCreated }: DatasetDialogProps) {
  return (
    <Dialog
      title={edited?.kind === 'change' ? 'Edit dataset' : 'New dataset'}
      isOpen={edited !== undefined}
      onClose={onClose}
      size="lg"
    >
      {edited?.kind === 'new' && (
        <DatasetForm
          projectId={projectId}
          dataset={undefined}
          folder={edited.folder}
          onClose={onClose}
          onCreated={onCreated}
        />
      )}
      {edited?.kind === 'change' && (
        <ChangeForm projectId={projectId} datasetId={edited.id} onClose={onClose} />
      )}
    </Dialog>
  )
}

type ChangeFormProps = { projectId: string; datasetId: string; onClose: () => void }

function ChangeForm({ projectId, datasetId, onClose }: ChangeFormProps) {
  const dataset = useDataset(projectId, datasetId)
  return (
    <QueryView query={dataset} what="the dataset" skeleton="h-64 w-full">
      {(found) => (
        <DatasetForm projectId={projectId} dataset={found} folder={undefined} onClose={onClose} />
      )}
    </QueryView>
  )
}

type DatasetFormProps = {
  projectId: string
  dataset: DatasetDetails | undefined
  folder: string | undefined
  onClose: () => void
  onCreated?: ((dataset: DatasetDetails) => void) | undefined
}

function DatasetForm({ projectId, dataset, folder, onClose, onCreated }: DatasetFormProps) {
  const create = useCreateDataset(projectId)
  const change = useChangeDataset(projectId)
  // What is edited stays as it was opened, also if it is loaded again meanwhile.
  const [initial] = useState<DatasetDraft>(() =>
    dataset ? draftOf(dataset, (json) => prettyText(json) ?? json) : newDraft(folder),
  )
  const form = useForm<DatasetDraft>({
    initial,
    check: draftProblems,
    error: dataset ? change.error : create.error,
  })
  const send = (draft: DatasetDraft) => {
    if (dataset)
      change.mutate(
        { datasetId: dataset.id, change: changeOf(draft, initial) },
        {
          onSuccess: () => {
            toast('Dataset changed')
            onClose()
          },
        },
      )
    else
      create.mutate(
        { name: draft.name, ...changeOf(draft, newDraft(undefined)) },
        {
          onSuccess: (created) => {
            toast('Dataset created')
            onClose()
            onCreated?.(created)
          },
        },
      )
  }
  return (
    <SubmitForm
      action={dataset ? 'Save' : 'Create dataset'}
      isPending={create.isPending || change.isPending}
      error={form.error}
      onSubmit={() => form.submit(send)}
      onClose={onClose}
    >
      <TextField
        {...form.field('name')}
        label="Name"
        description="Slashes make folders, as in support/refunds."
        maxLength={1000}
        autoFocus
        autoComplete="off"
      />
      <TextField {...form.field('description')} label="Description" maxLength={5000} />
      <Editor
        {...form.field('inputSchema')}
        label="Schema of inputs"
        description="A JSON Schema that the input of every item has to match. Leave it empty to allow any value."
        mode={{ kind: 'json' }}
        minRows={3}
        maxRows={12}
      />
      <Editor
        {...form.field('expectedOutputSchema')}
        label="Schema of expected outputs"
        mode={{ kind: 'json' }}
        minRows={3}
        maxRows={12}
      />
      <Editor
        {...form.field('metadata')}
        label="Metadata"
        mode={{ kind: 'json' }}
        minRows={2}
        maxRows={8}
      />
    </SubmitForm>
  )
}
