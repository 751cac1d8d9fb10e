export { TracesPage } from './TracesPage'
export { tracesSearchNames } from './search'
