export { ExportMenu } from './ExportMenu'
export { ExportsPage } from './ExportsPage'
export type { Printer } from './model/request'
