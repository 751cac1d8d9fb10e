import { useState } from 'react'
import { messageOf } from '@/api'
import { LoadError } from '@/features/failures'
import { Button, Checkbox, ComboBox, Dialog, FormLayout, Skeleton, toast } from '@/ui'
import { useAddToDataset, useDatasetNames } from '../api/useTraceChange'

type DatasetDialogProps = {
  projectId: string
  traceId: string
  /** The observation whose input and output the item gets. */
  observationId: string
  isOpen: boolean
  onClose: () => void
}

/** Makes an item of a dataset from an observation. */
export function DatasetDialog(props: DatasetDialogProps) {
  return (
    <Dialog title="Add to dataset" isOpen={props.isOpen} onClose={props.onClose}>
      {props.isOpen && <DatasetForm {...props} />}
    </Dialog>
  )
}

function DatasetForm({ projectId, traceId, observationId, onClose }: DatasetDialogProps) {
  const names = useDatasetNames(projectId, true)
  const add = useAddToDataset(projectId, traceId)
  const [name, setName] = useState('')
  const [withOutput, setWithOutput] = useState(true)
  const [wasTried, setTried] = useState(false)
  if (names.isError) return <LoadError title="The datasets could not be loaded" query={names} />
  if (!names.data) return <Skeleton className="h-24 w-full" />
  const wanted = name.trim()
  const isNewDataset = !names.data.includes(wanted)
  const send = () => {
    setTried(true)
    if (wanted === '' || add.isPending) return
    add.mutate(
      { datasetName: wanted, isNewDataset, observationId, withOutput },
      {
        onSuccess: () => {
          toast(`Added to ${wanted.slice(0, 100)}`)
          onClose()
        },
      },
    )
  }
  return (
    <FormLayout
      wide
      onSubmit={send}
      error={add.error ? messageOf(add.error) : undefined}
      actions={
        <>
          <Button type="submit" variant="primary" isPending={add.isPending}>
            {wanted !== '' && isNewDataset ? 'Create dataset and add' : 'Add'}
          </Button>
          <Button onPress={onClose}>Cancel</Button>
        </>
      }
    >
      <ComboBox
        label="Dataset"
        description="A name that no dataset has yet creates one."
        options={names.data.map((each) => ({ id: each, label: each }))}
        inputValue={name}
        onInputChange={setName}
        allowsCustom
        error={wasTried && wanted === '' ? 'Choose a dataset, or name a new one.' : undefined}
      />
      <Checkbox isSelected={withOutput} onChange={setWithOutput}>
        Take the output as the expected output
      </Checkbox>
    </FormLayout>
  )
}
