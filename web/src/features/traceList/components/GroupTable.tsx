import { useState, type ReactNode } from 'react'
import { LoadError } from '@/shared/errors'
import { formatExact } from '@/shared/lib/format'
import { DataTable, sortRows, type Column, type TableState } from '@/shared/table'
import { Badge, Duration, EmptyState, Money, Tokens } from '@/shared/ui'
import { useGroups } from '../api/useGroups'
import type { TraceQuery } from '../api/useTraceQuery'
import { onlyValue } from '../model/facets'
import { groupLabel, type Group } from '../model/groups'

type GroupTableProps = {
  projectId: string
  view: TraceQuery
  by: string
  toolbar: ReactNode
  /** Shows the rows of a group. */
  onNarrow: (query: TraceQuery['query']) => void
}

const seconds = (value: number | null) => (
  <Duration milliseconds={value === null ? null : value * 1000} />
)

const columnsOf = (by: string, most: number): Column<Group>[] => [
  {
    id: 'value',
    header: groupLabel(by),
    width: 260,
    grows: true,
    required: true,
    sortable: true,
    cell: (group) => <span title={group.value}>{group.value}</span>,
  },
  {
    id: 'count',
    header: 'Observations',
    width: 180,
    align: 'end',
    sortable: true,
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
    cell: (group) =>
      group.errors === 0 ? null : <Badge tone="danger">{formatExact(group.errors)}</Badge>,
  },
  {
    id: 'p50',
    header: 'p50',
    width: 90,
    align: 'end',
    sortable: true,
    cell: (group) => seconds(group.p50),
  },
  {
    id: 'p95',
    header: 'p95',
    width: 90,
    align: 'end',
    sortable: true,
    cell: (group) => seconds(group.p95),
  },
  {
    id: 'tokens',
    header: 'Tokens',
    width: 100,
    align: 'end',
    sortable: true,
    cell: (group) => <Tokens count={group.totalTokens} />,
  },
  {
    id: 'cost',
    header: 'Cost',
    width: 100,
    align: 'end',
    sortable: true,
    cell: (group) => <Money amount={group.totalCost} />,
  },
]

/** The selection grouped by a column. Clicking a group shows its rows. */
export function GroupTable({ projectId, view, by, toolbar, onNarrow }: GroupTableProps) {
  const groups = useGroups(projectId, view.selection, by)
  const [state, setState] = useState<TableState>({})
  const rows =
    groups.data &&
    sortRows(groups.data.groups, state, {
      value: (group) => group.value,
      count: (group) => group.count,
      errors: (group) => group.errors,
      p50: (group) => group.p50,
      p95: (group) => group.p95,
      tokens: (group) => group.totalTokens,
      cost: (group) => group.totalCost,
    })
  const most = Math.max(1, ...(rows ?? []).map(({ count }) => count))
  return (
    <DataTable
      label={`Groups by ${groupLabel(by)}`}
      isMain
      columns={columnsOf(by, most)}
      rows={rows}
      rowId={(group) => group.value}
      state={state}
      onStateChange={setState}
      onOpen={(group) => onNarrow(onlyValue(view.query, by, group.value))}
      isStale={groups.isPlaceholderData}
      toolbar={toolbar}
      count={
        rows &&
        `${rows.length} ${rows.length === 1 ? 'group' : 'groups'}${groups.data?.partial ? ', not all' : ''}`
      }
      error={groups.isError && <LoadError title="Couldn’t load the groups" query={groups} />}
      empty={
        <EmptyState title="No groups">
          None of the matching rows has a value here. Group by something else, or widen the query.
        </EmptyState>
      }
    />
  )
}
