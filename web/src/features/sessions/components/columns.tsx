import { Link } from '@tanstack/react-router'
import {
  countColumn,
  durationColumn,
  errorsColumn,
  moneyColumn,
  timeColumn,
  type Column,
} from '@/shared/table'
import { costAndTokenColumns } from '@/shared/entityLists'
import { linkClass } from '@/shared/ui'
import type { SessionRow } from '../api/useSessions'

/** The columns of a list of sessions. */
export function sessionColumns(projectId: string): Column<SessionRow>[] {
  return [
    {
      id: 'id',
      header: 'Session',
      width: 220,
      grows: true,
      required: true,
      sortable: true,
      filterValues: (row) => [{ column: 'sessionId', value: row.id }],
      cell: (row) => (
        <bdi title={row.id} className="font-mono text-sm">
          {row.id}
        </bdi>
      ),
    },
    timeColumn('lastSeen', 'Last seen', (row) => row.lastSeen, { width: 110, sortable: true }),
    timeColumn('firstSeen', 'First seen', (row) => row.firstSeen, {
      width: 110,
      sortable: true,
    }),
    durationColumn('duration', 'Duration', (row) => row.duration, { width: 110, sortable: true }),
    countColumn('traces', 'Traces', (row) => row.traces, { width: 80, sortable: true }),
    {
      id: 'users',
      header: 'Users',
      width: 180,
      hasControls: true,
      filterValues: (row) => row.users.map((value) => ({ column: 'userId', value })),
      cell: (row) => (
        <span className="flex gap-2">
          {row.users.map((user) => (
            <Link
              key={user}
              to="/project/$projectId/users/$userId"
              params={{ projectId, userId: user }}
              className={linkClass}
            >
              <bdi>{user}</bdi>
            </Link>
          ))}
        </span>
      ),
    },
    moneyColumn('totalCost', 'Cost', (row) => row.totalCost, { sortable: true }),
    countColumn('totalTokens', 'Tokens', (row) => row.totalTokens, { sortable: true }),
    errorsColumn('errors', 'Errors', (row) => row.errors, { sortable: true }),
    countColumn('observations', 'Observations', (row) => row.observations, {
      width: 80,
      hiddenAtFirst: true,
      sortable: true,
    }),
    ...costAndTokenColumns,
    {
      id: 'environment',
      header: 'Environment',
      width: 120,
      hiddenAtFirst: true,
      filterValues: (row) =>
        row.environment ? [{ column: 'environment', value: row.environment }] : [],
      cell: (row) => row.environment,
    },
  ]
}
