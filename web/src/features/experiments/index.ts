export { ExperimentsPage } from './ExperimentsPage'
export { ResultsPage } from './ResultsPage'
export { experimentsSearchNames, resultsSearch } from './search'
