import { Link, type LinkProps } from '@tanstack/react-router'
import { useSession } from '@/shared/currentUser'
import { formatDuration, formatExact, formatMoney } from '@/shared/lib/format'
import { Badge, linkClass, Time } from '@/shared/ui'
import type { WireTree } from '../model/wire'
import { Fact, Facts, IdFact } from './Facts'

type TraceFactsProps = { projectId: string; wire: WireTree }

/** The attributes of a trace, in a few lines. */
export function TraceFacts({ projectId, wire }: TraceFactsProps) {
  const { trace, traceId, total } = wire
  return (
    <header className="flex min-w-0 flex-col gap-1.5">
      <h2 className="min-w-0 text-lg font-medium">
        <bdi className="line-clamp-2 break-words">
          {trace.name === null || trace.name === '' ? 'Trace' : trace.name.slice(0, 1000)}
        </bdi>
      </h2>
      <Facts>
        <Fact label="Started">
          <Time at={trace.startTime} absolute />
        </Fact>
        <Fact label="Latency">{formatDuration(trace.latency * 1000)}</Fact>
        <Fact label="Cost">{formatMoney(trace.totalCost)}</Fact>
        <Fact label="Tokens">{formatExact(trace.totalTokens)}</Fact>
        <Fact label="Observations">{formatExact(total)}</Fact>
        {trace.errors > 0 && (
          <Fact label="Errors">
            <span className="text-danger">{formatExact(trace.errors)}</span>
          </Fact>
        )}
        {trace.userId !== null && trace.userId !== '' && (
          <Fact label="User">
            <Led
              to="/project/$projectId/users/$userId"
              params={{ projectId, userId: trace.userId }}
            >
              {trace.userId.slice(0, 200)}
            </Led>
          </Fact>
        )}
        {trace.sessionId !== null && trace.sessionId !== '' && (
          <Fact label="Session">
            <Led
              to="/project/$projectId/sessions/$sessionId"
              params={{ projectId, sessionId: trace.sessionId }}
            >
              {trace.sessionId.slice(0, 200)}
            </Led>
          </Fact>
        )}
        <Fact label="Environment">{trace.environment.slice(0, 200)}</Fact>
        {trace.release !== null && trace.release !== '' && (
          <Fact label="Release">{trace.release.slice(0, 200)}</Fact>
        )}
        {trace.version !== null && trace.version !== '' && (
          <Fact label="Version">{trace.version.slice(0, 200)}</Fact>
        )}
        <IdFact label="Trace" id={traceId} />
      </Facts>
      {trace.tags.length > 0 && (
        <div className="flex flex-wrap gap-1">
          {trace.tags.slice(0, 50).map((tag) => (
            <Badge key={tag}>{tag.slice(0, 200)}</Badge>
          ))}
        </div>
      )}
    </header>
  )
}

type LedProps = Pick<LinkProps, 'to' | 'params'> & { children: string }

/** A link to another page of the project; plain text for visitors, who cannot open any. */
function Led({ children, ...page }: LedProps) {
  if (useSession().user === null) return <span className="max-w-60 truncate">{children}</span>
  return (
    <Link {...page} className={`${linkClass} max-w-60 truncate`}>
      {children}
    </Link>
  )
}
