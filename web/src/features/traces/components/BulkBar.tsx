import { ClipboardCheck, Database, Star, Trash2 } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { ExportMenu } from '@/features/exports'
import { useProject } from '@/features/session'
import { formatExact } from '@/lib/format'
import { Button } from '@/ui'
import type { BulkAction, BulkTarget } from '../api/useBulk'
import type { View } from '../api/useView'
import type { Row } from '../model/rows'
import { pickedSelection, type Table } from '../model/view'

const BulkDialog = lazy(() =>
  import('./BulkDialog').then((module) => ({ default: module.BulkDialog })),
)

type BulkBarProps = {
  table: Table
  view: View
  rows: Row[]
  /** Whether all rows that are loaded are picked, and how many there are in all, if that is known. */
  isAllLoaded: boolean
  total: number | undefined
  onDone: () => void
}

/** What can be done with the rows that are picked, or with all that match. */
export function BulkBar({ table, view, rows, isAllLoaded, total, onDone }: BulkBarProps) {
  const { project, can } = useProject()
  // For how many picked rows everything that matches was taken. More rows may load meanwhile; another pick ends it.
  const [allFor, setAllFor] = useState<number | undefined>(undefined)
  const [kind, setKind] = useState<BulkAction['kind'] | undefined>(undefined)
  const isAll = allFor === rows.length
  const hasMore = (isAll || isAllLoaded) && total !== undefined && total > rows.length
  const target: BulkTarget = isAll
    ? { kind: 'all', selection: view.selection, asOf: view.asOf }
    : { kind: 'rows', rows }
  const count = isAll ? (total ?? rows.length) : rows.length
  return (
    <>
      {hasMore && (
        <Button
          size="sm"
          variant="ghost"
          onPress={() => setAllFor(isAll ? undefined : rows.length)}
        >
          {isAll
            ? `Only the ${formatExact(rows.length)} that are picked`
            : `Take all ${formatExact(total)} that match`}
        </Button>
      )}
      {isAll && (
        <span className="text-sm text-accent">all {formatExact(count)} that match now</span>
      )}
      {can('datasets:write') && (
        <Button size="sm" icon={<Database aria-hidden />} onPress={() => setKind('dataset')}>
          Add to dataset
        </Button>
      )}
      {can('evaluation:write') && (
        <Button size="sm" icon={<ClipboardCheck aria-hidden />} onPress={() => setKind('queue')}>
          Add to queue
        </Button>
      )}
      {can('scores:write') && (
        <Button size="sm" icon={<Star aria-hidden />} onPress={() => setKind('score')}>
          Score
        </Button>
      )}
      <ExportMenu
        table={table}
        selection={
          isAll
            ? { ...view.selection, to: view.selection.to ?? view.asOf.toISOString() }
            : pickedSelection(table, rows)
        }
        variant="secondary"
      />
      {can('traces:delete') && (
        <Button size="sm" icon={<Trash2 aria-hidden />} onPress={() => setKind('delete')}>
          {table === 'traces' ? 'Delete' : 'Delete their traces'}
        </Button>
      )}
      {kind !== undefined && (
        <Suspense fallback={null}>
          <BulkDialog
            projectId={project.id}
            table={table}
            kind={kind}
            target={target}
            count={count}
            onClose={(isDone) => {
              setKind(undefined)
              if (isDone) onDone()
            }}
          />
        </Suspense>
      )}
    </>
  )
}
