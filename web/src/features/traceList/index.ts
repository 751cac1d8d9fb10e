export { TracesPage } from './TracesPage'
export { tracesSearchEntries } from './search'
