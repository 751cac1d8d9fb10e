import { numberOf, seriesOf, type MetricsRow } from '@/shared/metrics'
import type { Zone } from '@/shared/lib/time'

/** The most models whose costs are shown one by one; what all others cost is one series. */
const most = 6
/** A metrics response has no more rows. */
const mostRows = 1000

/** As many of these models, the most expensive first, as there is room for in one response. */
export function modelsShown(models: readonly string[], buckets: number): string[] {
  return models.slice(0, Math.max(1, Math.min(most, Math.floor(mostRows / Math.max(1, buckets)))))
}

/** What a series of costs is about. */
export type CostOf = { kind: 'model'; model: string } | { kind: 'rest'; models: string[] }
export type CostSeries = {
  label: string
  values: (number | null)[]
  isRest?: boolean
  of: CostOf
}

/** The costs of models over time, and what is left of the costs of all. */
export function costSeries(
  models: string[],
  rows: readonly MetricsRow[],
  total: readonly (number | null)[],
  starts: readonly Date[],
  zone: Zone,
): CostSeries[] {
  const series: CostSeries[] = models.map((model) => ({
    label: model,
    values: seriesOf(
      rows.filter(({ providedModelName }) => providedModelName === model),
      starts,
      'sum_totalCost',
      0,
      zone,
    ),
    of: { kind: 'model', model },
  }))
  const rest = starts.map((_, at) => {
    const all = total[at] ?? 0
    const left = series.reduce((sum, { values }) => sum - (values[at] ?? 0), all)
    return left > all * 1e-9 ? left : 0 // sums of fractions are not exact
  })
  if (models.length === 0 || rest.some((value) => value > 0))
    series.push({
      label: unusedLabel(models.length === 0 ? 'Cost' : 'Other models', models),
      values: rest,
      isRest: true,
      of: { kind: 'rest', models },
    })
  return series
}

/** The sum of a figure that can be added up, over all rows of a series. */
export function sumOf(rows: readonly MetricsRow[] | undefined, key: string): number | undefined {
  return rows?.reduce((sum, row) => sum + (numberOf(row, key) ?? 0), 0)
}

function unusedLabel(label: string, models: readonly string[]): string {
  return models.includes(label) ? unusedLabel(`All ${label.toLowerCase()}`, models) : label
}
