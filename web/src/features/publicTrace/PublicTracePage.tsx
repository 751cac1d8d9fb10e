import { Globe } from 'lucide-react'
import { ShownSession, useSession, type Session } from '@/shared/currentUser'
import { linkClass } from '@/shared/ui'
import { Link } from '@tanstack/react-router'
import { TracePage } from '@/features/traceDetail'

type PublicTracePageProps = { projectId: string; traceId: string }

/** The page of a published trace for visitors who cannot see its project: read-only. */
export function PublicTracePage({ projectId, traceId }: PublicTracePageProps) {
  const session = useSession()
  return (
    <div className="flex h-full flex-col">
      <div className="flex shrink-0 flex-wrap items-center gap-x-3 gap-y-1 border-b border-border bg-surface-1 px-3 py-1.5 text-sm">
        <span className="font-semibold">Almanac</span>
        <span className="flex items-center gap-1.5 text-text-2">
          <Globe aria-hidden className="size-3.5" />
          This trace is published: anyone with the link can read it.
        </span>
        {session.user === null && (
          <Link
            to="/auth/sign-in"
            search={{ returnTo: location.pathname + location.search + location.hash }}
            className={`${linkClass} ml-auto`}
          >
            Sign in
          </Link>
        )}
      </div>
      <main
        id="content"
        tabIndex={-1}
        className="flex min-h-0 min-w-0 flex-1 flex-col overflow-auto"
      >
        <ShownSession value={visit(session, projectId)}>
          <TracePage traceId={traceId} />
        </ShownSession>
      </main>
    </div>
  )
}

/** What a visitor may do, as a session: read traces of this project, which the server allows for published ones. */
function visit(session: Session, projectId: string): Session {
  const nothing = { name: '', role: 'NONE' as const, permissions: [] }
  const project = {
    ...nothing,
    id: projectId,
    organizationId: '',
    permissions: ['traces:read'],
    retentionDays: 0,
    maxDataBytes: 0,
  }
  return { ...session, user: null, organizations: [{ ...nothing, id: '', projects: [project] }] }
}
