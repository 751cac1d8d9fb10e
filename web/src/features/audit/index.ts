export { OrganizationAuditPage } from './OrganizationAuditPage'
export { ProjectAuditPage } from './ProjectAuditPage'
export { auditSearchNames } from './search'
