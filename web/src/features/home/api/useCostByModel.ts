import { bucketStarts, granularityFor, useMetrics, type MetricsQuestion } from '@/shared/metrics'
import { usePreference } from '@/shared/lib/preference'
import { zonePreference } from '@/shared/lib/preferences'
import type { Scope } from '@/shared/scope'
import { costSeries, modelsShown } from '../model/costByModel'
import { useMostExpensive } from './useOverview'

/**
 * What the most expensive models cost over time, and what all others do. The models are those of the list below, so that
 * this takes one request more than the total.
 */
export function useCostByModel(
  projectId: string,
  range: { from: Date; to: Date },
  environment: Scope['environment'],
  total: readonly (number | null)[],
) {
  const zone = usePreference(zonePreference)
  const granularity = granularityFor(range.from, range.to)
  const starts = bucketStarts(range.from, range.to, granularity, zone)
  const list = useMostExpensive(projectId, 'providedModelName', range, environment)
  const models = modelsShown(
    (list.data ?? []).map((row) => String(row.providedModelName ?? '')),
    starts.length,
  )
  const question: MetricsQuestion = {
    view: 'observations',
    metrics: ['sum_totalCost'],
    by: ['providedModelName'],
    filters: [
      { column: 'providedModelName', type: 'stringOptions', operator: 'any of', value: models },
    ],
    granularity,
    zone,
  }
  const isAsked = models.length > 0 && !list.isPlaceholderData
  const over = useMetrics(projectId, question, range, environment, isAsked)
  return {
    series:
      list.data && (over.data || models.length === 0)
        ? costSeries(models, over.data ?? [], total, starts, zone)
        : undefined,
    failure: [list, over].find((each) => each.isError),
  }
}
