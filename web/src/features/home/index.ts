export { whileWaiting } from './api/useLatestTraces'
export { FirstTrace } from './components/FirstTrace'
export { HomePage, prefetchHome } from './HomePage'
