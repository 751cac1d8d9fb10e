import { Link } from '@tanstack/react-router'
import type { Column } from '@/shared/table'
import { Duration, linkClass, Money, Time, Tokens, ErrorCount } from '@/shared/ui'
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
      cell: (row) => (
        <bdi title={row.id} className="font-mono text-sm">
          {row.id}
        </bdi>
      ),
    },
    {
      id: 'lastSeen',
      header: 'Last seen',
      width: 110,
      sortable: true,
      cell: (row) => <Time at={row.lastSeen} />,
    },
    {
      id: 'firstSeen',
      header: 'First seen',
      width: 110,
      cell: (row) => <Time at={row.firstSeen} />,
    },
    {
      id: 'duration',
      header: 'Duration',
      width: 110,
      align: 'end',
      cell: (row) => <Duration milliseconds={row.duration * 1000} />,
    },
    {
      id: 'traces',
      header: 'Traces',
      width: 80,
      align: 'end',
      sortable: true,
      cell: (row) => <Tokens count={row.traces} />,
    },
    {
      id: 'users',
      header: 'Users',
      width: 180,
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
    {
      id: 'totalCost',
      header: 'Cost',
      width: 100,
      align: 'end',
      sortable: true,
      cell: (row) => <Money amount={row.totalCost} />,
    },
    {
      id: 'totalTokens',
      header: 'Tokens',
      width: 90,
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
    {
      id: 'environment',
      header: 'Environment',
      width: 120,
      hiddenAtFirst: true,
      cell: (row) => row.environment,
    },
  ]
}
