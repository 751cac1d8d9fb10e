export { UserPage } from './UserPage'
export { UsersPage } from './UsersPage'
