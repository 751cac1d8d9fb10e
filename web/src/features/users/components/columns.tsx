import { countColumn, errorsColumn, moneyColumn, timeColumn, type Column } from '@/shared/table'
import type { UserRow } from '../api/useUsers'

export const userColumns: Column<UserRow>[] = [
  {
    id: 'id',
    header: 'User',
    width: 220,
    grows: true,
    required: true,
    cell: (row) => <bdi title={row.id}>{row.id}</bdi>,
  },
  timeColumn('lastSeen', 'Last seen', (row) => row.lastSeen, { width: 110, sortable: true }),
  timeColumn('firstSeen', 'First seen', (row) => row.firstSeen, { width: 110 }),
  countColumn('traces', 'Traces', (row) => row.traces, { sortable: true }),
  countColumn('sessions', 'Sessions', (row) => row.sessions),
  moneyColumn('totalCost', 'Cost', (row) => row.totalCost, { width: 110, sortable: true }),
  countColumn('totalTokens', 'Tokens', (row) => row.totalTokens, { width: 100, sortable: true }),
  errorsColumn('errors', 'Errors', (row) => row.errors),
  countColumn('observations', 'Observations', (row) => row.observations, {
    width: 80,
    hiddenAtFirst: true,
  }),
]
