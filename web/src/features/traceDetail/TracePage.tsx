import { useNavigate, useParams } from '@tanstack/react-router'
import { useEffect, type ReactNode } from 'react'
import { modePreference } from '@/shared/io'
import { useProject, useSession } from '@/shared/currentUser'
import { CopyButton, Identifier } from '@/shared/ui'
import { useTree } from './api/useTree'
import { TraceActions } from './components/TraceActions'
import { TraceFlags } from './components/TraceFlags'
import { useTraceState } from './state'
import { mayAskForTrace, TracePanel } from './TracePanel'
import { useSearchState } from '@/shared/lib/useSearchState'

type TracePageProps = {
  /** From the URL, unless it is given. */
  traceId?: string
  /** The way to the traces beside this one. */
  steps?: ReactNode
}

/** The page of a trace: its name, its actions, and the trace itself. */
export function TracePage({ traceId: told, steps }: TracePageProps) {
  const { project, can } = useProject()
  const params = useParams({ strict: false })
  const traceId = told ?? params.traceId ?? ''
  const isVisitor = useSession().user === null
  const [state, change] = useTraceState()
  const navigate = useNavigate()
  const { data } = useTree(project.id, traceId, mayAskForTrace(can))
  const [{ pref }] = useSearchState()
  // Display modes are kept outside React; a link may set them.
  useEffect(() => {
    if (pref !== 'formatted' && pref !== 'json') return
    modePreference('input').set(pref)
    modePreference('output').set(pref)
  }, [pref])
  const name = data?.wire.trace.name ?? ''
  return (
    <div className="flex min-h-0 min-w-0 flex-1 flex-col">
      <title>{`${name === '' ? 'Trace' : name.slice(0, 100)} · Almanac`}</title>
      <header className="flex min-w-0 shrink-0 flex-wrap items-center gap-x-3 gap-y-1 border-b border-border px-3 py-1.5">
        <h1 className="max-w-full min-w-0 truncate text-lg font-semibold">
          <bdi>{name === '' ? 'Trace' : name.slice(0, 300)}</bdi>
        </h1>
        <span className="flex min-w-0 items-center gap-0.5">
          <Identifier id={traceId} className="max-w-48 text-text-3" />
          <CopyButton text={traceId} label="Copy trace id" />
        </span>
        {!isVisitor && steps}
        {data && !isVisitor && (
          <span className="ml-auto flex flex-wrap items-center gap-2">
            <TraceFlags projectId={project.id} traceId={traceId} trace={data.wire.trace} />
            <TraceActions
              projectId={project.id}
              traceId={traceId}
              observationId={state.observation}
              rootId={data.tree.ids[0] ?? ''}
              onDeleted={() =>
                void navigate({
                  to: '/project/$projectId/traces',
                  params: { projectId: project.id },
                })
              }
            />
          </span>
        )}
      </header>
      <TracePanel projectId={project.id} traceId={traceId} state={state} onChange={change} isPage />
    </div>
  )
}
