export { ConnectionsPage } from './ConnectionsPage'
export { NewConnectionPage } from './NewConnectionPage'
