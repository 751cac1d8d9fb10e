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
export { authorName } from './model/authors'
export {
  isEmptyConfig,
  partsOf,
  type PromptBody,
  type PromptMessage,
  type PromptPart,
} from './model/body'
export { byImportance, givenLabels, labelProblem, latest, production } from './model/labels'
export {
  marksOf,
  namesIn,
  writeReference,
  type Mark,
  type PromptNames,
  type PromptReference,
} from './model/marks'
export type { PromptVersion, Resolved } from './model/readVersion'
export { withTag } from './model/tags'
export { PromptContent, PromptVariables } from './PromptContent'
export { PromptDiff } from './PromptDiff'
export { ReferenceLink } from './ReferenceLink'
export { TagsField } from './TagsField'
export { TagsForm } from './TagsForm'
