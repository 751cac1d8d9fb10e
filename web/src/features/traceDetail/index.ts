export { prefetchTree } from './api/useTree'
export { useWholeText } from './api/useWholeText'
export { ComparePage } from './ComparePage'
export { ConfigScore } from './components/ConfigScore'
export { isBusy, isTyping } from './components/keyTarget'
export { TextValue } from './components/TextValue'
export {
  choicesOf,
  problemOf,
  scoringAction,
  shownValues,
  type ScoreDraft,
} from './model/quickScore'
export { TracePage } from './TracePage'
export { TracePanel } from './TracePanel'
export { traceSearchNames, useTraceState, type ChangeTrace, type TraceState } from './state'
