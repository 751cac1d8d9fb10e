export { Forbidden } from './Forbidden'
export { GuardedPage } from './GuardedPage'
export { NeedsRole } from './NeedsRole'
export {
  grantableRoles,
  mayChange,
  roleDescription,
  roleLabel,
  roleNeeded,
  roles,
  type Level,
  type Role,
} from './model/roles'
