import { TracePanel, useTraceState } from '@/features/traceDetail'

/** The trace of a run, loaded when the first one is opened. */
export function PanelTrace(props: { projectId: string; traceId: string }) {
  const [state, change] = useTraceState()
  return <TracePanel {...props} state={state} onChange={change} />
}
