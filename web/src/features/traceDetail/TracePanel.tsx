import { ApiError, messageOf } from '@/shared/api'
import { Forbidden } from '@/shared/roles'
import { useProject, useSession } from '@/shared/currentUser'
import { MediaLinks } from '@/shared/io'
import { EmptyState, ErrorState, Skeleton } from '@/shared/ui'
import { useFollow } from './api/useFollow'
import { useTree } from './api/useTree'
import { TraceView } from './components/TraceView'
import type { ChangeTrace, TraceState } from './state'

type TracePanelProps = {
  projectId: string
  traceId: string
  state: TraceState
  onChange: ChangeTrace
  /** Whether the trace has the page to itself: its keys then work wherever the focus is. */
  isPage?: boolean
  /** Goes to the trace before or after this one in the list that it comes from. */
  onWalk?: (by: 1 | -1) => void
  /** Whether it can be scored beside the text; false where something else does that. */
  isScored?: boolean
}

/** A trace, on its own page or beside a table. Fills the available height. */
export function TracePanel(props: TracePanelProps) {
  const { can } = useProject()
  // Publishing a trace does not publish its files.
  const isVisitor = useSession().user === null
  if (!mayAskForTrace(can)) return <NoTrace />
  return (
    <MediaLinks projectId={isVisitor ? undefined : props.projectId}>
      <Loaded {...props} />
    </MediaLinks>
  )
}

/** Whether the server may show a trace to the user: annotators see those in their queues. */
export function mayAskForTrace(can: (permission: string) => boolean): boolean {
  return can('traces:read') || can('queues:annotate')
}

function NoTrace() {
  return <Forbidden doing="see this trace" permission="traces:read" />
}

function Loaded(props: TracePanelProps) {
  const { projectId, traceId, state, onChange, isPage = false, isScored = true, onWalk } = props
  const query = useTree(projectId, traceId)
  useFollow(projectId, query.data)
  if (query.data)
    return (
      <TraceView
        key={traceId}
        projectId={projectId}
        wire={query.data.wire}
        tree={query.data.tree}
        state={state}
        onChange={onChange}
        isPage={isPage}
        isScored={isScored}
        onWalk={onWalk}
      />
    )
  if (query.error instanceof ApiError && query.error.status === 403) return <NoTrace />
  if (query.error instanceof ApiError && query.error.status === 404)
    return (
      <EmptyState title="This project has no such trace">
        <code className="break-all">{traceId.slice(0, 500)}</code> may have been deleted, belong to
        another project, or not have arrived yet.
      </EmptyState>
    )
  if (query.isError)
    return (
      <ErrorState
        title="Couldn’t load the trace"
        message={messageOf(query.error)}
        onRetry={() => void query.refetch()}
      />
    )
  return (
    <div aria-busy="true" className="flex min-h-0 flex-1 gap-4 p-3">
      <div className="flex w-2/5 flex-col gap-3">
        {['w-full', 'w-5/6', 'w-3/4', 'w-5/6', 'w-2/3', 'w-3/4'].map((width, at) => (
          // All of them are alike.
          // oxlint-disable-next-line react/no-array-index-key
          <Skeleton key={at} className={width} />
        ))}
      </div>
      <div className="flex flex-1 flex-col gap-3">
        <Skeleton className="h-6 w-1/2" />
        <Skeleton className="h-40 w-full" />
      </div>
      <span className="sr-only">Loading the trace</span>
    </div>
  )
}
