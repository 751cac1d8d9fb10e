import type { Scope } from '@/shared/scope'
import { zoneName, type Zone } from '@/shared/lib/time'
import { isCalendar, type Granularity } from './buckets'

/** A question to the metrics API. See docs/metrics.md for what can be asked. */
export type MetricsQuestion = {
  view: 'observations' | 'scores-numeric' | 'scores-categorical' | 'scores-boolean'
  /** Aggregation and measure, as in the response: sum_totalCost. */
  metrics: readonly string[]
  by?: readonly string[]
  filters?: readonly MetricsFilter[]
  granularity?: Granularity
  /** The zone of days and weeks; UTC by default. */
  zone?: Zone
  /** Sorts by this metric, greatest first; returns at most `limit` rows. */
  order?: string
  limit?: number
}

export type MetricsFilter = {
  column: string
  type: 'string' | 'stringOptions' | 'boolean' | 'null'
  operator: string
  value?: string | string[] | boolean
}

const maxRows = 1000

/** The `query` parameter for a question about a range. */
export function metricsQuery(
  question: MetricsQuestion,
  { from, to }: { from: Date; to: Date },
  environment: Scope['environment'],
): string {
  const {
    view,
    metrics,
    by = [],
    filters = [],
    granularity,
    zone = 'utc',
    order,
    limit = maxRows,
  } = question
  return JSON.stringify({
    view,
    metrics: metrics.map((each) => {
      const [aggregation = '', measure = ''] = each.split('_')
      return { measure, aggregation }
    }),
    dimensions: by.map((field) => ({ field })),
    filters: [
      ...filters,
      ...(environment
        ? [
            {
              column: 'environment',
              type: 'stringOptions',
              operator: 'any of',
              value: environment,
            },
          ]
        : []),
    ],
    ...(granularity && {
      timeDimension: {
        granularity,
        ...(zone === 'local' && isCalendar(granularity) && { timeZone: zoneName() }),
      },
    }),
    ...(order !== undefined && { orderBy: [{ field: order, direction: 'desc' }] }),
    fromTimestamp: from.toISOString(),
    toTimestamp: to.toISOString(),
    config: { row_limit: limit },
  })
}
