export { PromptPage } from './PromptPage'
export { promptSearchNames } from './search'
