import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { LoadError } from '@/shared/errors'
import { DeleteTracesOf } from '@/shared/entityLists'
import { GuardedPage } from '@/shared/roles'
import { useProject } from '@/shared/currentUser'
import { SessionsTable } from '@/features/sessions'
import { useEnds, useScope } from '@/shared/scope'
import { formatExact } from '@/shared/lib/format'
import { listHeight } from '@/shared/table'
import { CopyButton, EmptyState, Facts, Money, Skeleton, Tabs, Time, Tokens } from '@/shared/ui'
import { useUserTotals } from './api/useUser'
import { CostOverTime } from './components/CostOverTime'
import { UserScores } from './components/UserScores'
import { UserTraces } from './components/UserTraces'

const tabs = ['Traces', 'Sessions', 'Scores'] as const
type Tab = (typeof tabs)[number]

/** A user of the project's applications: what they did, and what it cost. */
export function UserPage() {
  const { project } = useProject()
  const { userId } = useParams({ from: '/_app/project/$projectId/users/$userId' })
  return (
    <GuardedPage
      frame="page"
      title="User"
      description={
        <span className="flex items-center gap-1">
          <code className="min-w-0 font-mono text-sm break-all">{userId}</code>
          <CopyButton text={userId} label="Copy user id" />
        </span>
      }
      actions={<DeleteTracesOf entity={{ userId }} noun="user" />}
      permission="traces:read"
      doing="see users"
    >
      <UserView key={userId} projectId={project.id} userId={userId} />
    </GuardedPage>
  )
}

function UserView({ projectId, userId }: { projectId: string; userId: string }) {
  const { can } = useProject()
  const { scope, range, asOf } = useScope()
  const ends = useEnds(projectId, range, asOf)
  const totals = useUserTotals(projectId, userId, scope)
  const navigate = useNavigate()
  const search = useSearch({ from: '/_app/project/$projectId/users/$userId' })
  const shown = tabs.filter((tab) => tab !== 'Scores' || can('scores:read'))
  const tab: Tab = shown.find((each) => each === search.tab) ?? 'Traces'
  const list = { projectId, userId, scope, maxHeight: listHeight }
  return (
    <div className="flex min-w-0 flex-col gap-5">
      {totals.isPending && <Skeleton className="h-10" />}
      {totals.isError && <LoadError title="Couldn’t load the totals" query={totals} />}
      {totals.data === null && (
        <p className="text-text-2">No data for this user in this time range. Try a longer one.</p>
      )}
      {totals.data && (
        <Facts
          facts={[
            { label: 'Traces', value: <Tokens count={totals.data.traces} /> },
            { label: 'Sessions', value: <Tokens count={totals.data.sessions} /> },
            { label: 'Observations', value: <Tokens count={totals.data.observations} /> },
            { label: 'Errors', value: formatExact(totals.data.errors) },
            { label: 'Tokens', value: <Tokens count={totals.data.totalTokens} /> },
            { label: 'Cost', value: <Money amount={totals.data.totalCost} /> },
            { label: 'First seen', value: <Time at={totals.data.firstSeen} absolute /> },
            { label: 'Last seen', value: <Time at={totals.data.lastSeen} /> },
          ]}
        />
      )}
      <CostOverTime
        projectId={projectId}
        userId={userId}
        range={ends}
        environment={scope.environment}
      />
      <Tabs
        label="What the user did"
        value={tab}
        onChange={(next) =>
          void navigate({
            to: '.',
            // Columns and sort order belong to the table of one tab.
            search: { dateRange: search.dateRange, environment: search.environment, tab: next },
            resetScroll: false,
          })
        }
        tabs={shown.map((id) => ({
          id,
          label: id,
          content:
            id === 'Traces' ? (
              <UserTraces {...list} />
            ) : id === 'Sessions' ? (
              <SessionsTable
                projectId={projectId}
                selection={{
                  ...scope,
                  filter: [{ type: 'string', column: 'userId', operator: '=', value: userId }],
                }}
                empty={<EmptyState title="No sessions of this user in this time range" />}
              />
            ) : (
              <UserScores projectId={projectId} userId={userId} scope={scope} />
            ),
        }))}
      />
    </div>
  )
}
