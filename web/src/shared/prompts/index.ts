export {
  promptVersionOptions,
  usePromptDependents,
  usePromptLabels,
  usePromptVersion,
  usePromptVersions,
  type PromptDependent,
  type PromptVersionRow,
  type PromptVersionsPage,
  type WhichVersion,
} from './api/queries'
export {
  isEmptyConfig,
  partsOf,
  type PromptBody,
  type PromptMessage,
  type PromptPart,
} from './model/body'
export {
  marksOf,
  namesIn,
  writeReference,
  type Mark,
  type PromptNames,
  type PromptReference,
} from './model/marks'
export type { PromptVersion, Resolved } from './model/readVersion'
export { PromptContent, PromptVariables } from './PromptContent'
export { PromptDiff } from './PromptDiff'
export { ReferenceLink } from './ReferenceLink'
