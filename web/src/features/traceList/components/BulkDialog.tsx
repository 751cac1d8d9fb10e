import { useState, type ReactNode } from 'react'
import { messageOf } from '@/shared/api'
import { DatasetForm, QueueForm } from '@/shared/addTo'
import { ScoreForm } from '@/shared/scoring'
import { countOf, formatExact } from '@/shared/lib/format'
import { Callout, Dialog, TextField } from '@/shared/ui'
import { SubmitForm } from '@/shared/forms'
import { useBulk, type Bulk, type BulkAction } from '../api/useBulk'
import type { Table } from '../model/view'
import { BulkProgress } from './BulkProgress'
import { MarkQuestion } from './MarkQuestion'

type BulkDialogProps = Bulk & {
  projectId: string
  table: Table
  onClose: (isDone: boolean) => void
}

const titles = {
  dataset: 'Add to a dataset',
  queue: 'Add to an annotation queue',
  score: 'Add a score',
  mark: 'Tag or bookmark',
  delete: 'Delete traces',
} as const

/** Asks for the details of a bulk action, performs it, and reports the result. */
export function BulkDialog({ projectId, table, kind, target, count, onClose }: BulkDialogProps) {
  const bulk = useBulk(projectId, table)
  const [state, setState] = useState<'asking' | 'running' | 'done'>('asking')
  const [started, setStarted] = useState<BulkAction>()
  const [isUndone, setUndone] = useState(false)
  const [problem, setProblem] = useState<string | undefined>(undefined)
  const start = async (action: BulkAction) => {
    setProblem(undefined)
    setStarted(action)
    setState('running')
    try {
      await bulk.run(target, action)
      setState('done')
    } catch (error) {
      // Cancelled while collecting: nothing was done, and the question is asked again.
      if (!isAbort(error)) setProblem(messageOf(error))
      setState('asking')
    }
  }
  const { undo } = bulk
  const onUndo =
    undo && started?.kind === 'mark' && !isUndone
      ? async () => {
          setUndone(true)
          setState('running')
          await undo(started)
          setState('done')
        }
      : undefined
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
          isUndone={isUndone}
          onUndo={onUndo && (() => void onUndo())}
          progress={bulk.progress}
          isDone={state === 'done'}
          onCancel={bulk.cancel}
          onClose={close}
        />
      )}
    </Dialog>
  )
}

function isAbort(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'AbortError'
}

type FormProps = {
  projectId: string
  table: Table
  count: number
  onStart: (action: BulkAction) => void
  onClose: () => void
}

function Question({ kind, ...form }: FormProps & { kind: BulkAction['kind'] }): ReactNode {
  const { projectId, table, count, onStart, onClose } = form
  const common = { projectId, onClose, count: countOf(count, table.slice(0, -1)) }
  switch (kind) {
    case 'dataset':
      return <DatasetForm {...common} onSubmit={(choice) => onStart({ kind, ...choice })} />
    case 'queue':
      return <QueueForm {...common} onSubmit={(queueId) => onStart({ kind, queueId })} />
    case 'score':
      return (
        <ScoreForm
          projectId={projectId}
          action={`Score ${common.count}`}
          onSubmit={(values, config) => onStart({ kind, values, config })}
          onClose={onClose}
        />
      )
    case 'mark':
      return (
        <MarkQuestion
          table={table}
          count={count}
          onStart={(change) => onStart({ kind, ...change })}
          onClose={onClose}
        />
      )
    case 'delete':
      return <DeleteQuestion {...form} />
  }
}

function DeleteQuestion({ table, count, onStart, onClose }: FormProps) {
  const [typed, setTyped] = useState('')
  const isSure = typed.trim().replaceAll(',', '') === String(count)
  return (
    <SubmitForm
      action="Delete"
      isDanger
      isDisabled={!isSure}
      onSubmit={() => isSure && onStart({ kind: 'delete' })}
      onClose={onClose}
    >
      <p>
        {table === 'traces'
          ? countOf(count, 'trace')
          : `The ${count === 1 ? 'trace' : 'traces'} of ${countOf(count, 'observation')}`}{' '}
        will be deleted, with everything in {count === 1 ? 'it' : 'them'}. This cannot be undone.
      </p>
      <TextField
        label={`Type ${formatExact(count)} to delete ${count === 1 ? 'it' : 'them'}`}
        value={typed}
        onChange={setTyped}
        autoComplete="off"
      />
    </SubmitForm>
  )
}
