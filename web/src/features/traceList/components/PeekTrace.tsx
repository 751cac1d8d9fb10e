import { TracePanel, useTraceState } from '@/features/traceDetail'

/** The panel of the trace page, loaded when the first row is opened. */
export function PeekTrace({ projectId, traceId }: { projectId: string; traceId: string }) {
  const [state, change] = useTraceState()
  return <TracePanel projectId={projectId} traceId={traceId} state={state} onChange={change} />
}
