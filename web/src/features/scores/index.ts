export { AnalyticsPage } from './AnalyticsPage'
export { ScoresPage } from './ScoresPage'
export { analyticsSearchNames, scoresSearchNames } from './search'
