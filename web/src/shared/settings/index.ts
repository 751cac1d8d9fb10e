export { SettingsLayout, type SettingsPage } from './SettingsLayout'
