import { Undo2 } from 'lucide-react'
import { formatExact } from '@/shared/lib/format'
import { Button, Callout, Spinner } from '@/shared/ui'
import type { BulkAction } from '../api/useBulk'
import type { Progress } from '../model/runAll'

type BulkProgressProps = {
  kind: BulkAction['kind']
  progress: Progress | undefined
  isDone: boolean
  /** Whether this is about taking the action back. */
  isUndone: boolean
  /** undefined where the action cannot be undone, or has been. */
  onUndo: (() => void) | undefined
  onCancel: () => void
  onClose: () => void
}

/** The progress of a bulk action and, at the end, what was done and what failed. */
export function BulkProgress(props: BulkProgressProps) {
  const { kind, progress, isDone, isUndone, onUndo, onCancel, onClose } = props
  const { total, done, failures } = progress ?? { total: 0, done: 0, failures: [] }
  const finished = done + failures.length
  const left = total - finished
  return (
    <div role="status" className="flex flex-col gap-3">
      {isDone ? (
        <p>
          {formatExact(done)} {isUndone ? 'restored' : doneWords[kind]}.
        </p>
      ) : (
        <p className="flex items-center gap-2 text-text-2">
          <Spinner />
          {total === 0
            ? 'Collecting what matches…'
            : `${formatExact(finished)} of ${formatExact(total)}`}
        </p>
      )}
      {isDone && left > 0 && (
        <p className="text-text-2">Cancelled: {formatExact(left)} were not processed.</p>
      )}
      {failures.length > 0 && (
        <Callout tone="danger" title={`${formatExact(failures.length)} failed`}>
          {[...new Set(failures)].slice(0, 3).join(' ')}
        </Callout>
      )}
      <div className="flex gap-2">
        {isDone ? (
          <>
            <Button variant="primary" onPress={onClose}>
              Done
            </Button>
            {onUndo && (
              <Button icon={<Undo2 aria-hidden />} onPress={onUndo}>
                Undo
              </Button>
            )}
          </>
        ) : (
          <Button onPress={onCancel}>Cancel</Button>
        )}
      </div>
    </div>
  )
}

const doneWords: Record<BulkAction['kind'], string> = {
  dataset: 'added',
  queue: 'added',
  score: 'scored',
  mark: 'changed',
  delete: 'deleted',
}
