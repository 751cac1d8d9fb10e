export { listSearchNames } from './model/browse'
export { PromptEditorPage } from './PromptEditorPage'
export { PromptsPage } from './PromptsPage'
export { ProtectedLabelsPage } from './ProtectedLabelsPage'
