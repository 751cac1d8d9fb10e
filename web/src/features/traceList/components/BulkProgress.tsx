import { formatExact } from '@/shared/lib/format'
import { Button, Callout, Spinner } from '@/shared/ui'
import type { BulkAction } from '../api/useBulk'
import type { Progress } from '../model/runAll'

type BulkProgressProps = {
  kind: BulkAction['kind']
  progress: Progress | undefined
  isDone: boolean
  onCancel: () => void
  onClose: () => void
}

/** The progress of a bulk action and, at the end, what was done and what failed. */
export function BulkProgress({ kind, progress, isDone, onCancel, onClose }: BulkProgressProps) {
  const { total, done, failures } = progress ?? { total: 0, done: 0, failures: [] }
  const finished = done + failures.length
  const left = total - finished
  return (
    <div role="status" className="flex flex-col gap-3">
      {isDone ? (
        <p>
          {formatExact(done)} {doneWords[kind]}.
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
      <div>
        {isDone ? (
          <Button variant="primary" onPress={onClose}>
            Done
          </Button>
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
  delete: 'deleted',
}
