export { Forbidden } from './Forbidden'
export { NeedsRole } from './NeedsRole'
export {
  grantableRoles,
  mayChange,
  roleLabel,
  roleNeeded,
  roles,
  type Level,
  type Role,
} from './model/roles'
