export { ProjectGeneralPage } from './ProjectGeneralPage'
export { ProjectSettings } from './ProjectSettings'
export { projectSettingsPages } from './model/projectSettingsPages'
