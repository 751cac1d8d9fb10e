export { ModelPage } from './ModelPage'
export { ModelsPage } from './ModelsPage'
export { NewModelPage } from './NewModelPage'
