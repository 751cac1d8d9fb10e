import { useMemo } from 'react'
import { Distribution, Legend, TimeChart, type ChartTone, type Series } from '@/shared/charts'
import { bucketStarts, granularityFor, stepOf } from '@/shared/metrics'
import { formatExact, formatShare } from '@/shared/lib/format'
import { usePreference } from '@/shared/lib/preference'
import { zonePreference } from '@/shared/lib/preferences'
import { Facts, Section } from '@/shared/ui'
import { shortNumber } from '../model/bins'
import { binsOf, distributionOf } from '../model/compare'
import { dataTypeLabel } from '../model/filter'
import type { Point, ScoreKind } from '../model/points'
import { summarize } from '../model/statistics'
import { meansOver, sharesOver } from '../model/trend'

type ScoreViewProps = {
  kind: ScoreKind
  tone: ChartTone
  points: readonly Point[]
  range: { from: Date; to: Date }
}

const tones: readonly ChartTone[] = ['accent', 'second', 'muted']

/** One score: its figures, the distribution of its values, and their course over time. */
export function ScoreView({ kind, tone, points, range }: ScoreViewProps) {
  const bins = useMemo(() => binsOf(points, kind.dataType), [points, kind.dataType])
  const counts = useMemo(() => distributionOf(points, bins), [points, bins])
  const isNumber = kind.dataType === 'NUMERIC'
  const zone = usePreference(zonePreference)
  const granularity = granularityFor(range.from, range.to)
  const step = stepOf[granularity]
  const starts = bucketStarts(range.from, range.to, granularity, zone)
  // For booleans, the share of yes is enough.
  const largest =
    kind.dataType === 'BOOLEAN'
      ? ['Yes']
      : bins.labels
          .map((label, at) => ({ label, count: counts[at] ?? 0 }))
          .toSorted((a, b) => b.count - a.count)
          .slice(0, tones.length)
          .map(({ label }) => label)
  const series: Series[] = isNumber
    ? [{ label: 'Mean', tone, values: meansOver(points, starts, step) }]
    : largest.map((label, at) => ({
        label,
        tone: largest.length === 1 ? tone : (tones[at] ?? 'muted'),
        values: sharesOver(points, starts, step, label),
      }))
  return (
    <Section title={kind.name} description={dataTypeLabel(kind.dataType)}>
      <Facts facts={figures(kind, points, bins.labels, counts)} />
      <div className="grid min-w-0 gap-6 lg:grid-cols-2">
        <Distribution
          title={`Distribution of ${kind.name}`}
          bins={bins.labels}
          series={[{ label: kind.name, tone, counts }]}
        />
        <TimeChart
          title={isNumber ? `Mean of ${kind.name} over time` : `Shares of ${kind.name} over time`}
          height={180}
          starts={starts}
          step={step}
          format={isNumber ? shortNumber : formatShare}
          beside={<Legend items={series} />}
          series={series}
        />
      </div>
    </Section>
  )
}

function figures(
  kind: ScoreKind,
  points: readonly Point[],
  labels: readonly string[],
  counts: readonly number[],
) {
  const count = { label: 'Scores', value: formatExact(points.length) }
  if (kind.dataType !== 'NUMERIC') {
    return [
      count,
      ...labels.slice(0, 6).map((label, at) => ({
        label,
        value: `${formatExact(counts[at] ?? 0)} · ${formatShare((counts[at] ?? 0) / Math.max(1, points.length))}`,
      })),
    ]
  }
  const summary = summarize(
    points.map(({ value }) => value).filter((value) => typeof value === 'number'),
  )
  if (!summary) return [count]
  return [
    count,
    { label: 'Mean', value: shortNumber(summary.mean) },
    {
      label: 'Standard deviation',
      value: summary.deviation === undefined ? '–' : shortNumber(summary.deviation),
    },
    { label: 'Minimum', value: shortNumber(summary.least) },
    { label: 'Median', value: shortNumber(summary.median) },
    { label: 'Maximum', value: shortNumber(summary.greatest) },
  ]
}
