export { ExportMenu } from './ExportMenu'
export { ExportsPage } from './ExportsPage'
