export { OrganizationPage } from './OrganizationPage'
export { OrganizationsPage } from './OrganizationsPage'
