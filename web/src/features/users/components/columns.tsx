import type { Column } from '@/shared/table'
import { Money, Time, Tokens, ErrorCount } from '@/shared/ui'
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
  {
    id: 'lastSeen',
    header: 'Last seen',
    width: 110,
    sortable: true,
    cell: (row) => <Time at={row.lastSeen} />,
  },
  { id: 'firstSeen', header: 'First seen', width: 110, cell: (row) => <Time at={row.firstSeen} /> },
  {
    id: 'traces',
    header: 'Traces',
    width: 90,
    align: 'end',
    sortable: true,
    cell: (row) => <Tokens count={row.traces} />,
  },
  {
    id: 'sessions',
    header: 'Sessions',
    width: 90,
    align: 'end',
    cell: (row) => <Tokens count={row.sessions} />,
  },
  {
    id: 'totalCost',
    header: 'Cost',
    width: 110,
    align: 'end',
    sortable: true,
    cell: (row) => <Money amount={row.totalCost} />,
  },
  {
    id: 'totalTokens',
    header: 'Tokens',
    width: 100,
    align: 'end',
    sortable: true,
    cell: (row) => <Tokens count={row.totalTokens} />,
  },
  {
    id: 'errors',
    header: 'Errors',
    width: 108,
    cell: (row) => <ErrorCount count={row.errors} />,
  },
  {
    id: 'observations',
    header: 'Observations',
    width: 80,
    align: 'end',
    hiddenAtFirst: true,
    cell: (row) => <Tokens count={row.observations} />,
  },
]
