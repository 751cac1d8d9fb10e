export { OrganizationAuditPage } from './OrganizationAuditPage'
export { ProjectAuditPage } from './ProjectAuditPage'
export { auditSearchEntries } from './search'
