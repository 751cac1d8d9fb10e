export { recallKeys, rememberKeys, type KeyPair } from './keyMemory'
export { OrganizationKeysPage } from './OrganizationKeysPage'
export { ProjectKeysPage } from './ProjectKeysPage'
