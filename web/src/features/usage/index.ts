export { OrganizationUsagePage } from './OrganizationUsagePage'
export { ProjectUsagePage } from './ProjectUsagePage'
