export { SessionPage } from './SessionPage'
export { SessionsPage } from './SessionsPage'
export { SessionsTable } from './SessionsTable'
