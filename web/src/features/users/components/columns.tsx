import { costAndTokenColumns } from '@/shared/entityLists'
import {
  countColumn,
  durationColumn,
  errorsColumn,
  moneyColumn,
  timeColumn,
  type Column,
} from '@/shared/table'
import type { UserRow } from '../api/useUsers'

export const userColumns: Column<UserRow>[] = [
  {
    id: 'id',
    header: 'User',
    width: 220,
    grows: true,
    required: true,
    sortable: true,
    filterValues: (row) => [{ column: 'userId', value: row.id }],
    cell: (row) => <bdi title={row.id}>{row.id}</bdi>,
  },
  timeColumn('lastSeen', 'Last seen', (row) => row.lastSeen, { width: 110, sortable: true }),
  timeColumn('firstSeen', 'First seen', (row) => row.firstSeen, { width: 110, sortable: true }),
  countColumn('traces', 'Traces', (row) => row.traces, { sortable: true }),
  countColumn('sessions', 'Sessions', (row) => row.sessions, { sortable: true }),
  moneyColumn('totalCost', 'Cost', (row) => row.totalCost, { width: 110, sortable: true }),
  countColumn('totalTokens', 'Tokens', (row) => row.totalTokens, { width: 100, sortable: true }),
  errorsColumn('errors', 'Errors', (row) => row.errors, { sortable: true }),
  durationColumn('duration', 'Duration', (row) => row.duration, {
    width: 110,
    hiddenAtFirst: true,
    sortable: true,
  }),
  countColumn('observations', 'Observations', (row) => row.observations, {
    width: 80,
    hiddenAtFirst: true,
    sortable: true,
  }),
  ...costAndTokenColumns,
]
