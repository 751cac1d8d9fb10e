export { metricsOptions, useMetrics, type MetricsRow } from './api/useMetrics'
export {
  bucketStarts,
  granularityFor,
  numberOf,
  seriesOf,
  stepOf,
  type Granularity,
} from './model/buckets'
export type { MetricsFilter, MetricsQuestion } from './model/query'
