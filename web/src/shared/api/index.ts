export { projectAddress, projectApi, projectStream, projectTail, ui } from './client'
export { ApiError, toApiError, unreached, unwrap, type Issue } from './error'
export { messageOf } from './messageOf'
export type { components as PublicComponents, paths as PublicPaths } from './generated/public'
export type { components as UiComponents, paths as UiPaths } from './generated/ui'
export {
  inboxKey,
  organizationKey,
  projectKey,
  scopesOfScores,
  scopesOfTraces,
  sessionKey,
  traceKey,
  type ProjectScope,
} from './keys'
export { useChange, useRefresh } from './useRefresh'
