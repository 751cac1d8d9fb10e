export { ComparePage } from './ComparePage'
export { TracePage } from './TracePage'
export { TracePanel } from './TracePanel'
export { traceSearchEntries, useTraceState, type ChangeTrace, type TraceState } from './state'
