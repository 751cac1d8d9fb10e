export { ProjectGeneralPage } from './ProjectGeneralPage'
export { ProjectSettings } from './ProjectSettings'
