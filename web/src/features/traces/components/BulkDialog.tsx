import { useState, type ReactNode } from 'react'
import { messageOf } from '@/api'
import { LoadError } from '@/features/failures'
import { useDatasetNames, useQueues } from '@/features/trace'
import { formatExact } from '@/lib/format'
import {
  Button,
  Callout,
  Checkbox,
  ComboBox,
  Dialog,
  EmptyState,
  FormLayout,
  Select,
  Skeleton,
  TextField,
} from '@/ui'
import { useBulk, type BulkAction, type BulkTarget } from '../api/useBulk'
import type { Table } from '../model/view'
import { BulkProgress } from './BulkProgress'

type BulkDialogProps = {
  projectId: string
  table: Table
  kind: BulkAction['kind']
  target: BulkTarget
  count: number
  onClose: (isDone: boolean) => void
}

const titles = {
  dataset: 'Add to a dataset',
  queue: 'Add to an annotation queue',
  delete: 'Delete traces',
} as const

/** Asks what is to be done with many rows, does it, and says what came of it. */
export function BulkDialog({ projectId, table, kind, target, count, onClose }: BulkDialogProps) {
  const bulk = useBulk(projectId, table)
  const [state, setState] = useState<'asking' | 'running' | 'done'>('asking')
  const [problem, setProblem] = useState<string | undefined>(undefined)
  const start = async (action: BulkAction) => {
    setProblem(undefined)
    setState('running')
    try {
      await bulk.run(target, action)
      setState('done')
    } catch (error) {
      setProblem(messageOf(error))
      setState('asking')
    }
  }
  const close = () => onClose(state === 'done')
  const form = {
    projectId,
    count,
    table,
    onStart: (action: BulkAction) => void start(action),
    onClose: close,
  }
  return (
    <Dialog title={titles[kind]} isOpen onClose={close} isDismissable={state !== 'running'}>
      {problem !== undefined && (
        <div className="pb-3">
          <Callout tone="danger">{problem}</Callout>
        </div>
      )}
      {state === 'asking' ? (
        <Question kind={kind} {...form} />
      ) : (
        <BulkProgress
          kind={kind}
          progress={bulk.progress}
          isDone={state === 'done'}
          onCancel={bulk.cancel}
          onClose={close}
        />
      )}
    </Dialog>
  )
}

type FormProps = {
  projectId: string
  table: Table
  count: number
  onStart: (action: BulkAction) => void
  onClose: () => void
}

function Question({ kind, ...form }: FormProps & { kind: BulkAction['kind'] }): ReactNode {
  switch (kind) {
    case 'dataset':
      return <DatasetQuestion {...form} />
    case 'queue':
      return <QueueQuestion {...form} />
    case 'delete':
      return <DeleteQuestion {...form} />
  }
}

function DatasetQuestion({ projectId, count, onStart, onClose }: FormProps) {
  const names = useDatasetNames(projectId, true)
  const [name, setName] = useState('')
  const [withOutput, setWithOutput] = useState(true)
  if (names.isError) return <LoadError title="The datasets could not be loaded" query={names} />
  if (!names.data) return <Skeleton className="h-24 w-full" />
  const datasetName = name.trim()
  const isNew = datasetName !== '' && !names.data.includes(datasetName)
  return (
    <FormLayout
      wide
      onSubmit={() =>
        datasetName !== '' && onStart({ kind: 'dataset', datasetName, isNew, withOutput })
      }
      actions={
        <>
          <Button type="submit" variant="primary" isDisabled={datasetName === ''}>
            {isNew ? 'Create dataset and add' : 'Add'} {itemsText(count)}
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
      />
      <Checkbox isSelected={withOutput} onChange={setWithOutput}>
        Take outputs as expected outputs
      </Checkbox>
    </FormLayout>
  )
}

function QueueQuestion({ projectId, count, onStart, onClose }: FormProps) {
  const queues = useQueues(projectId, true)
  const [queueId, setQueueId] = useState<string | null>(null)
  if (queues.isError) return <LoadError title="The queues could not be loaded" query={queues} />
  if (!queues.data) return <Skeleton className="h-24 w-full" />
  if (queues.data.length === 0)
    return (
      <EmptyState title="No annotation queues yet">
        A program creates one with POST /api/public/annotation-queues.
      </EmptyState>
    )
  return (
    <FormLayout
      wide
      onSubmit={() => queueId !== null && onStart({ kind: 'queue', queueId })}
      actions={
        <>
          <Button type="submit" variant="primary" isDisabled={queueId === null}>
            Add {itemsText(count)}
          </Button>
          <Button onPress={onClose}>Cancel</Button>
        </>
      }
    >
      <Select
        label="Queue"
        options={queues.data.map(({ id, name }) => ({ id, label: name }))}
        value={queueId}
        onChange={setQueueId}
      />
    </FormLayout>
  )
}

function DeleteQuestion({ table, count, onStart, onClose }: FormProps) {
  const [typed, setTyped] = useState('')
  const isSure = typed.trim().replaceAll(',', '') === String(count)
  return (
    <FormLayout
      wide
      onSubmit={() => isSure && onStart({ kind: 'delete' })}
      actions={
        <>
          <Button type="submit" variant="danger" isDisabled={!isSure}>
            Delete
          </Button>
          <Button onPress={onClose}>Cancel</Button>
        </>
      }
    >
      <p>
        {table === 'traces'
          ? `${formatExact(count)} ${count === 1 ? 'trace goes' : 'traces go'}, with everything in them.`
          : `The traces of ${formatExact(count)} ${count === 1 ? 'observation go' : 'observations go'}, with everything in them.`}{' '}
        This cannot be undone.
      </p>
      <TextField
        label={`Type ${formatExact(count)} to delete them`}
        value={typed}
        onChange={setTyped}
        autoComplete="off"
      />
    </FormLayout>
  )
}

function itemsText(count: number): string {
  return `${formatExact(count)} ${count === 1 ? 'item' : 'items'}`
}
