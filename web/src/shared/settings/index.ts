export { SettingsLayout, type SettingsPage } from './SettingsLayout'
export { tableHeight } from './tableHeight'
