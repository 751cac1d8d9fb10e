import { useQueries } from '@tanstack/react-query'
import {
  bucketStarts,
  granularityFor,
  metricsOptions,
  numberOf,
  seriesOf,
  stepOf,
  useMetrics,
  type MetricsFilter,
  type MetricsQuestion,
} from '@/shared/metrics'
import type { Scope } from '@/shared/scope'
import { usePreference } from '@/shared/lib/preference'
import { zonePreference } from '@/shared/lib/preferences'
import { alignBefore, rangeBefore } from '../model/change'
import { sumOf } from '../model/costByModel'

type Range = { from: Date; to: Date }

const roots: MetricsFilter[] = [
  { column: 'isRootObservation', type: 'boolean', operator: '=', value: true },
]
const errors: MetricsFilter[] = [
  { column: 'level', type: 'stringOptions', operator: 'any of', value: ['ERROR'] },
]
const traces: MetricsQuestion = {
  view: 'observations',
  metrics: ['count_count', 'p50_latency', 'p95_latency'],
  filters: roots,
}
const failed: MetricsQuestion = {
  view: 'observations',
  metrics: ['uniq_traceId'],
  filters: errors,
}
const spent: MetricsQuestion = {
  view: 'observations',
  metrics: ['sum_totalCost', 'sum_totalTokens'],
}

/** A figure for a range and for the previous one, each also as a time series. */
export type Figure = {
  now: number | undefined
  before: number | undefined
  series: (number | null)[]
  seriesBefore: (number | null)[]
}

/** The figures of a project for a range and for the previous one. */
export function useOverview(projectId: string, range: Range, environment: Scope['environment']) {
  const zone = usePreference(zonePreference)
  const granularity = granularityFor(range.from, range.to)
  const before = rangeBefore(range)
  const answers = useQueries({
    queries: [
      ...[traces, failed].flatMap((question) => [
        metricsOptions(projectId, question, range, environment),
        metricsOptions(projectId, question, before, environment),
      ]),
      ...[traces, failed, spent].flatMap((question) => [
        metricsOptions(projectId, { ...question, granularity, zone }, range, environment),
        metricsOptions(projectId, { ...question, granularity, zone }, before, environment),
      ]),
    ],
  })
  const totals = answers.slice(0, 4)
  const overTime = answers.slice(4)
  const starts = bucketStarts(range.from, range.to, granularity, zone)
  const startsBefore = bucketStarts(before.from, before.to, granularity, zone)
  const figure = (question: 0 | 1 | 2, key: string, missing: number | null): Figure => {
    const [over, overBefore] = overTime
      .slice(question * 2, question * 2 + 2)
      .map(({ data }) => data ?? [])
    const [now, then] = totals
      .slice(question * 2, question * 2 + 2)
      .map(({ data }) => numberOf(data?.[0], key))
    return {
      // What is spent can be added up.
      now: question === 2 ? sumOf(over, key) : now,
      before: question === 2 ? sumOf(overBefore, key) : then,
      series: seriesOf(over ?? [], starts, key, missing, zone),
      seriesBefore: alignBefore(
        seriesOf(overBefore ?? [], startsBefore, key, missing, zone),
        starts.length,
      ),
    }
  }
  return {
    starts,
    step: stepOf[granularity],
    isPending: answers.some((each) => each.isPending),
    failure: answers.find((each) => each.isError),
    traces: figure(0, 'count_count', 0),
    p50: figure(0, 'p50_latency', null),
    p95: figure(0, 'p95_latency', null),
    failed: figure(1, 'uniq_traceId', 0),
    cost: figure(2, 'sum_totalCost', 0),
    tokens: figure(2, 'sum_totalTokens', 0),
  }
}

const shown = 6

/** The most expensive models or users. */
export function useMostExpensive(
  projectId: string,
  by: 'providedModelName' | 'userId',
  range: Range,
  environment: Scope['environment'],
) {
  return useMetrics(
    projectId,
    {
      view: 'observations',
      metrics: ['sum_totalCost', 'sum_totalTokens', 'count_count'],
      by: [by],
      filters: [{ column: by, type: 'null', operator: 'is not null' }],
      order: 'sum_totalCost',
      limit: shown,
    },
    range,
    environment,
  )
}

export type ScoreFigure = {
  name: string
  dataType: string
  count: number
  mean: number | undefined
  before: number | undefined
}

/** The scores of a range, the most frequent first, with their means in this range and the previous one. */
export function useScoreFigures(
  projectId: string,
  range: Range,
  environment: Scope['environment'],
) {
  const numbers: MetricsQuestion = {
    view: 'scores-numeric',
    metrics: ['count_count', 'avg_value'],
    by: ['name', 'dataType'],
    limit: 50,
  }
  const categories: MetricsQuestion = {
    view: 'scores-categorical',
    metrics: ['count_count'],
    by: ['name'],
    limit: 50,
  }
  const now = useMetrics(projectId, numbers, range, environment)
  const before = useMetrics(projectId, numbers, rangeBefore(range), environment)
  const named = useMetrics(projectId, categories, range, environment)
  const scores: ScoreFigure[] = [
    ...(now.data ?? []).map((row) => ({
      name: String(row.name ?? ''),
      dataType: String(row.dataType ?? ''),
      count: numberOf(row, 'count_count') ?? 0,
      mean: numberOf(row, 'avg_value'),
      before: numberOf(
        before.data?.find((each) => each.name === row.name && each.dataType === row.dataType),
        'avg_value',
      ),
    })),
    ...(named.data ?? []).map((row) => ({
      name: String(row.name ?? ''),
      dataType: 'CATEGORICAL',
      count: numberOf(row, 'count_count') ?? 0,
      mean: undefined,
      before: undefined,
    })),
  ]
  return {
    scores: scores
      .filter(({ name, count }) => name !== '' && count > 0)
      .toSorted((a, b) => b.count - a.count)
      .slice(0, shown),
    isPending: now.isPending || named.isPending,
    failure: [now, named].find((each) => each.isLoadingError),
  }
}
