import { useState } from 'react'
import { LoadError } from '@/shared/errors'
import { Checkbox, ComboBox, Skeleton } from '@/shared/ui'
import { SubmitForm } from '@/shared/forms'
import { useDatasetNames } from '../api/useDatasetNames'
import type { FormProps } from './FormProps'

export type DatasetChoice = { datasetName: string; isNew: boolean; withOutput: boolean }

/** Asks for the dataset to add items to, existing or new. */
export function DatasetForm(props: FormProps<DatasetChoice>) {
  const { projectId, count, isPending, error, onSubmit, onClose } = props
  const names = useDatasetNames(projectId)
  const [name, setName] = useState('')
  const [withOutput, setWithOutput] = useState(true)
  const [wasTried, setTried] = useState(false)
  if (names.isError) return <LoadError title="Couldn’t load the datasets" query={names} />
  if (!names.data) return <Skeleton className="h-24 w-full" />
  const datasetName = name.trim()
  const isNew = datasetName !== '' && !names.data.includes(datasetName)
  const verb = isNew ? 'Create dataset and add' : 'Add'
  return (
    <SubmitForm
      action={count === undefined ? verb : `${verb} ${count}`}
      isPending={isPending}
      onSubmit={() => {
        setTried(true)
        if (datasetName !== '') onSubmit({ datasetName, isNew, withOutput })
      }}
      error={error}
      onClose={onClose}
    >
      <ComboBox
        label="Dataset"
        description="A name that no dataset has yet creates one."
        options={names.data.map((each) => ({ id: each, label: each }))}
        inputValue={name}
        onInputChange={setName}
        allowsCustom
        error={wasTried && datasetName === '' ? 'Choose a dataset, or name a new one.' : undefined}
      />
      <Checkbox isSelected={withOutput} onChange={setWithOutput}>
        {count === undefined
          ? 'Use the output as the expected output'
          : 'Use outputs as expected outputs'}
      </Checkbox>
    </SubmitForm>
  )
}
