import { TracePanel, useTraceState } from '@/features/traceDetail'

type PeekTraceProps = {
  projectId: string
  traceId: string
  onWalk: ((by: 1 | -1) => void) | undefined
}

/** The panel of the trace page, loaded when the first row is opened. */
export function PeekTrace(props: PeekTraceProps) {
  const [state, change] = useTraceState()
  return <TracePanel {...props} state={state} onChange={change} />
}
