export { DatasetPage } from './DatasetPage'
export { DatasetsPage } from './DatasetsPage'
export { listSearchNames } from './model/browse'
export { itemSearchNames } from './model/items'
