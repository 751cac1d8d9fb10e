import { Link, useParams } from '@tanstack/react-router'
import { MessagesSquare, Plus } from 'lucide-react'
import { useMemo, useState } from 'react'
import { Comments } from '@/shared/comments'
import { ErrorLine, LoadError, NextPageError } from '@/shared/errors'
import { DeleteTracesOf } from '@/shared/entityLists'
import { GuardedPage } from '@/shared/roles'
import { ScoreDialog, scoreText } from '@/shared/scoring'
import { useProject } from '@/shared/currentUser'
import { MediaLinks } from '@/shared/io'
import { formatExact } from '@/shared/lib/format'
import {
  Badge,
  Button,
  CopyButton,
  Duration,
  EmptyState,
  Facts,
  linkClass,
  Money,
  Page,
  Skeleton,
  Time,
  Tokens,
} from '@/shared/ui'
import { useSessionScores, useSessionTotals, useSessionTraces } from './api/useChatSession'
import type { SessionRow } from './api/useSessions'
import { TurnView } from './components/TurnView'
import { toSessionTurns } from './model/turns'

/** A session, read as one conversation. */
export function SessionPage() {
  const { project } = useProject()
  const { sessionId } = useParams({ from: '/_app/project/$projectId/sessions/$sessionId' })
  return (
    <Page>
      <div className="flex w-full max-w-4xl min-w-0 flex-col">
        <GuardedPage
          frame="settings"
          title="Session"
          description={
            <span className="flex items-center gap-1">
              <code className="min-w-0 font-mono text-sm break-all">{sessionId}</code>
              <CopyButton text={sessionId} label="Copy session id" />
            </span>
          }
          actions={<DeleteTracesOf entity={{ sessionId }} noun="session" />}
          permission="traces:read"
          doing="see sessions"
        >
          {/* Keyed by id, so that no state of the previous session is kept. */}
          <MediaLinks projectId={project.id}>
            <Replay key={sessionId} projectId={project.id} sessionId={sessionId} />
          </MediaLinks>
        </GuardedPage>
      </div>
    </Page>
  )
}

function Replay({ projectId, sessionId }: { projectId: string; sessionId: string }) {
  const totals = useSessionTotals(projectId, sessionId)
  const traces = useSessionTraces(projectId, sessionId)
  const rows = traces.data?.pages.flatMap((page) => page.rows)
  const turns = useMemo(() => toSessionTurns(rows ?? []), [rows])
  if (traces.isError && rows === undefined)
    return <LoadError title="Couldn’t load the session" query={traces} />
  if (rows === undefined) return <Loading />
  if (rows.length === 0)
    return (
      <EmptyState icon={<MessagesSquare aria-hidden />} title="No traces in this session">
        It may have been deleted, or its traces have not arrived yet.
      </EmptyState>
    )
  return (
    <div className="flex min-w-0 flex-col gap-6">
      <section aria-label="Totals" className="flex flex-col gap-3 border-b border-border pb-4">
        {totals.isLoadingError && (
          <ErrorLine
            title="Couldn’t load the totals"
            error={totals.error}
            onRetry={() => void totals.refetch()}
          />
        )}
        {totals.data && <Totals projectId={projectId} totals={totals.data} />}
        <SessionScores
          projectId={projectId}
          sessionId={sessionId}
          environment={totals.data?.environment ?? rows[0]?.environment ?? 'default'}
        />
      </section>
      <ol aria-label="Traces" className="flex min-w-0 flex-col gap-6">
        {turns.map((turn, at) => (
          <TurnView key={turn.row.traceId} projectId={projectId} turn={turn} number={at + 1} />
        ))}
      </ol>
      {traces.isFetchNextPageError ? (
        <NextPageError query={traces} />
      ) : (
        traces.hasNextPage && (
          <Button
            isPending={traces.isFetchingNextPage}
            onPress={() => void traces.fetchNextPage()}
            className="self-start"
          >
            Load more traces
          </Button>
        )
      )}
      <section aria-label="Comments" className="flex flex-col gap-2 border-t border-border pt-4">
        <h2 className="font-medium">Comments</h2>
        <Comments subject={{ projectId, kind: 'SESSION', id: sessionId }} />
      </section>
    </div>
  )
}

function Totals({ projectId, totals }: { projectId: string; totals: SessionRow }) {
  return (
    <Facts
      facts={[
        { label: 'Traces', value: <Tokens count={totals.traces} /> },
        { label: 'Observations', value: <Tokens count={totals.observations} /> },
        { label: 'Errors', value: formatExact(totals.errors) },
        { label: 'First seen', value: <Time at={totals.firstSeen} absolute /> },
        { label: 'Last seen', value: <Time at={totals.lastSeen} /> },
        { label: 'Duration', value: <Duration milliseconds={totals.duration * 1000} /> },
        { label: 'Tokens', value: <Tokens count={totals.totalTokens} /> },
        { label: 'Cost', value: <Money amount={totals.totalCost} /> },
        { label: 'Environment', value: totals.environment },
        ...(totals.users.length > 0
          ? [{ label: 'Users', value: <Users projectId={projectId} users={totals.users} /> }]
          : []),
      ]}
    />
  )
}

type SessionScoresProps = { projectId: string; sessionId: string; environment: string }

function SessionScores({ projectId, sessionId, environment }: SessionScoresProps) {
  const { can } = useProject()
  const scores = useSessionScores(projectId, sessionId, can('scores:read'))
  const [isScored, setScored] = useState(false)
  return (
    <>
      {scores.isLoadingError && (
        <ErrorLine
          title="Couldn’t load the scores"
          error={scores.error}
          onRetry={() => void scores.refetch()}
        />
      )}
      <div className="flex flex-wrap items-center gap-2">
        {scores.data && scores.data.length > 0 && (
          <>
            <span className="text-sm text-text-3">Scores</span>
            {scores.data.map((score) => (
              <span key={score.id} title={score.comment ?? undefined}>
                <Badge tone="accent">
                  {score.name} {scoreText(score)}
                </Badge>
              </span>
            ))}
          </>
        )}
        {can('scores:write') && (
          <Button size="sm" icon={<Plus aria-hidden />} onPress={() => setScored(true)}>
            Add score
          </Button>
        )}
      </div>
      <ScoreDialog
        projectId={projectId}
        score={isScored ? { sessionId, environment } : undefined}
        onClose={() => setScored(false)}
      />
    </>
  )
}

function Users({ projectId, users }: { projectId: string; users: readonly string[] }) {
  return (
    <span className="flex flex-wrap gap-x-2">
      {users.map((user) => (
        <Link
          key={user}
          to="/project/$projectId/users/$userId"
          params={{ projectId, userId: user }}
          className={`${linkClass} break-all`}
        >
          <bdi>{user}</bdi>
        </Link>
      ))}
    </span>
  )
}

function Loading() {
  return (
    <div aria-busy className="flex flex-col gap-4">
      <Skeleton className="h-10" />
      <Skeleton className="h-32" />
      <Skeleton className="h-32" />
    </div>
  )
}
