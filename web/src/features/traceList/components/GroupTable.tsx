import { useState, type ReactNode } from 'react'
import { LoadError } from '@/shared/errors'
import { countOf, formatExact } from '@/shared/lib/format'
import {
  countColumn,
  DataTable,
  durationColumn,
  moneyColumn,
  sortRows,
  type Column,
  type TableState,
} from '@/shared/table'
import { Badge, EmptyState, Tokens } from '@/shared/ui'
import { useGroups } from '../api/useGroups'
import type { TraceQuery } from '../api/useTraceQuery'
import { onlyValue } from '@/shared/query'
import { languageOf } from '../model/question'
import { groupLabel, type Group } from '../model/groups'

type GroupTableProps = {
  projectId: string
  view: TraceQuery
  by: string
  toolbar: ReactNode
  /** Shows the rows of a group. */
  onNarrow: (query: TraceQuery['query']) => void
}

const columnsOf = (by: string, most: number): Column<Group>[] => [
  {
    id: 'value',
    header: groupLabel(by),
    width: 260,
    grows: true,
    required: true,
    sortable: true,
    value: (group) => group.value,
    cell: (group) => <span title={group.value}>{group.value}</span>,
  },
  {
    id: 'count',
    header: 'Observations',
    width: 180,
    align: 'end',
    sortable: true,
    value: (group) => group.count,
    cell: (group) => (
      <span className="flex items-center justify-end gap-2">
        <span aria-hidden className="h-1.5 w-20 rounded-full bg-surface-2">
          <span
            className="block h-full rounded-full bg-control"
            style={{ width: `${(group.count / most) * 100}%` }}
          />
        </span>
        <Tokens count={group.count} />
      </span>
    ),
  },
  {
    id: 'errors',
    header: 'With errors',
    width: 110,
    align: 'end',
    sortable: true,
    value: (group) => group.errors,
    cell: (group) =>
      group.errors === 0 ? null : <Badge tone="danger">{formatExact(group.errors)}</Badge>,
  },
  durationColumn('p50', 'p50', (group) => group.p50, { sortable: true }),
  durationColumn('p95', 'p95', (group) => group.p95, { sortable: true }),
  countColumn('tokens', 'Tokens', (group) => group.totalTokens, { width: 100, sortable: true }),
  moneyColumn('cost', 'Cost', (group) => group.totalCost, { sortable: true }),
]

/** The selection grouped by a column. Clicking a group shows its rows. */
export function GroupTable({ projectId, view, by, toolbar, onNarrow }: GroupTableProps) {
  const groups = useGroups(projectId, view.selection, by)
  const [state, setState] = useState<TableState>({})
  const found = groups.data?.groups
  const most = Math.max(1, ...(found ?? []).map(({ count }) => count))
  const columns = columnsOf(by, most)
  const rows = found && sortRows(found, state, columns)
  return (
    <DataTable
      label={`Groups by ${groupLabel(by)}`}
      isMain
      columns={columns}
      rows={rows}
      rowId={(group) => group.value}
      state={state}
      onStateChange={setState}
      onOpen={(group) => onNarrow(onlyValue(view.query, by, group.value, languageOf(view.table)))}
      isStale={groups.isPlaceholderData}
      toolbar={toolbar}
      count={rows && `${countOf(rows.length, 'group')}${groups.data?.partial ? ', not all' : ''}`}
      error={groups.isError && <LoadError title="Couldn’t load the groups" query={groups} />}
      empty={
        <EmptyState title="No groups">
          None of the matching observations has a value here. Group by something else, or widen the
          query.
        </EmptyState>
      }
    />
  )
}
