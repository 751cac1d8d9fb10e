import { useParams } from '@tanstack/react-router'
import { useProject } from '@/features/session'
import { CopyButton } from '@/ui'
import { useTree } from './api/useTree'
import { useTraceState } from './state'
import { TracePanel } from './TracePanel'

/** The page of a trace: its name, what can be done with it, and the trace. */
export function TracePage() {
  const { project } = useProject()
  const { traceId = '' } = useParams({ strict: false })
  const [state, change] = useTraceState()
  const { data } = useTree(project.id, traceId)
  const name = data?.trace.name ?? ''
  return (
    <div className="flex min-h-0 min-w-0 flex-1 flex-col">
      <title>{`${name === '' ? 'Trace' : name.slice(0, 100)} · Almanac`}</title>
      <header className="flex min-w-0 shrink-0 flex-wrap items-center gap-x-3 gap-y-1 border-b border-border px-3 py-1.5">
        <h1 className="max-w-full min-w-0 truncate text-lg font-semibold">
          <bdi>{name === '' ? 'Trace' : name.slice(0, 300)}</bdi>
        </h1>
        <span className="flex min-w-0 items-center gap-0.5">
          <code className="max-w-48 min-w-0 truncate font-mono text-sm text-text-3">
            {traceId.slice(0, 200)}
          </code>
          <CopyButton text={traceId} label="Copy trace id" />
        </span>
      </header>
      <TracePanel projectId={project.id} traceId={traceId} state={state} onChange={change} isPage />
    </div>
  )
}
