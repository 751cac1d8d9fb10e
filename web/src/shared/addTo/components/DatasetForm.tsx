import { useState } from 'react'
import { LoadError } from '@/shared/errors'
import { Button, Checkbox, ComboBox, Skeleton } from '@/shared/ui'
import { SubmitForm } from '@/shared/forms'
import { useDatasetNames } from '../api/useDatasetNames'
import { mappingProblems, usualMapping, type ItemMapping } from '../model/mapping'
import type { FormProps } from './FormProps'
import { MappingFields } from './MappingFields'

export type DatasetChoice = { datasetName: string; isNew: boolean; mapping: ItemMapping }

/** Asks for the dataset to add items to, existing or new. */
export function DatasetForm(props: FormProps<DatasetChoice>) {
  const { projectId, count, isPending, error, onSubmit, onClose } = props
  const names = useDatasetNames(projectId)
  const [name, setName] = useState('')
  const [mapping, setMapping] = useState(usualMapping)
  const [isDetailed, setDetailed] = useState(false)
  const [wasTried, setTried] = useState(false)
  if (names.isError) return <LoadError title="Couldn’t load the datasets" query={names} />
  if (!names.data) return <Skeleton className="h-24 w-full" />
  const datasetName = name.trim()
  const isNew = datasetName !== '' && !names.data.includes(datasetName)
  const problems = mappingProblems(mapping)
  const verb = isNew ? 'Create dataset and add' : 'Add'
  return (
    <SubmitForm
      action={count === undefined ? verb : `${verb} ${count}`}
      isPending={isPending}
      onSubmit={() => {
        setTried(true)
        if (datasetName !== '' && Object.keys(problems).length === 0)
          onSubmit({ datasetName, isNew, mapping })
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
      {isDetailed ? (
        <MappingFields
          mapping={mapping}
          onChange={setMapping}
          problems={wasTried ? problems : {}}
        />
      ) : (
        <>
          <Checkbox
            isSelected={mapping.expectedOutput.from === 'output'}
            onChange={(isUsed) =>
              setMapping({
                ...mapping,
                expectedOutput: { from: isUsed ? 'output' : 'nothing', path: '$' },
              })
            }
          >
            {count === undefined
              ? 'Use the output as the expected output'
              : 'Use outputs as expected outputs'}
          </Checkbox>
          <span>
            <Button size="sm" onPress={() => setDetailed(true)}>
              Choose parts
            </Button>
          </span>
        </>
      )}
    </SubmitForm>
  )
}
