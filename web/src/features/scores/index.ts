export { AnalyticsPage } from './AnalyticsPage'
export { ScoresPage } from './ScoresPage'
export { analyticsSearchEntries, scoresSearchEntries } from './search'
