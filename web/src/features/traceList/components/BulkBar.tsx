import { Link } from '@tanstack/react-router'
import { Bookmark, ClipboardCheck, Columns2, Database, Star, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { ExportMenu } from '@/features/exports'
import { useProject } from '@/shared/currentUser'
import { formatExact } from '@/shared/lib/format'
import { Button, buttonClass } from '@/shared/ui'
import type { Bulk, BulkAction } from '../api/useBulk'
import type { TraceQuery } from '../api/useTraceQuery'
import type { Row } from '../model/rows'
import { pickedSelection, type Table } from '../model/view'

type BulkBarProps = {
  table: Table
  view: TraceQuery
  rows: Row[]
  /** Whether all loaded rows are selected, and the total number of rows, if known. */
  isAllLoaded: boolean
  total: number | undefined
  onAsk: (bulk: Bulk) => void
}

/** Actions on the selected rows, or on everything that matches. */
export function BulkBar({ table, view, rows, isAllLoaded, total, onAsk }: BulkBarProps) {
  const { project, can } = useProject()
  const [first, second, ...more] = new Set(rows.map(({ traceId }) => traceId))
  // The number of selected rows when "all that match" was chosen. More rows may load meanwhile; changing the selection
  // ends it.
  const [allFor, setAllFor] = useState<number | undefined>(undefined)
  const isAll = allFor === rows.length
  const hasMore = (isAll || isAllLoaded) && total !== undefined && total > rows.length
  const count = isAll ? (total ?? rows.length) : rows.length
  const ask = (kind: BulkAction['kind']) =>
    onAsk({
      kind,
      target: isAll
        ? { kind: 'all', selection: view.selection, asOf: view.asOf }
        : { kind: 'rows', rows },
      count,
    })
  return (
    <>
      {hasMore && (
        <Button
          size="sm"
          variant="ghost"
          onPress={() => setAllFor(isAll ? undefined : rows.length)}
        >
          {isAll
            ? `Only the ${formatExact(rows.length)} selected`
            : `Select all ${formatExact(total)} that match`}
        </Button>
      )}
      {isAll && (
        <span className="text-sm text-accent">all {formatExact(count)} that match now</span>
      )}
      {first !== undefined && second !== undefined && more.length === 0 && !isAll && (
        <Link
          to="/project/$projectId/traces/compare"
          params={{ projectId: project.id }}
          search={{ a: first, b: second }}
          className={buttonClass('secondary', 'sm')}
        >
          <Columns2 aria-hidden />
          Compare
        </Link>
      )}
      {can('datasets:write') && (
        <Button size="sm" icon={<Database aria-hidden />} onPress={() => ask('dataset')}>
          Add to dataset
        </Button>
      )}
      {can('evaluation:write') && (
        <Button size="sm" icon={<ClipboardCheck aria-hidden />} onPress={() => ask('queue')}>
          Add to queue
        </Button>
      )}
      {can('scores:write') && (
        <Button size="sm" icon={<Star aria-hidden />} onPress={() => ask('score')}>
          Score
        </Button>
      )}
      {can('traces:write') && (
        <Button size="sm" icon={<Bookmark aria-hidden />} onPress={() => ask('mark')}>
          Tag or bookmark
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
        <Button size="sm" icon={<Trash2 aria-hidden />} onPress={() => ask('delete')}>
          {table === 'traces' ? 'Delete' : 'Delete their traces'}
        </Button>
      )}
    </>
  )
}
