export { FirstTrace } from './components/FirstTrace'
export { HomePage } from './HomePage'
