import type { UiComponents } from '@/shared/api'

export type VersionFigures = UiComponents['schemas']['PromptVersionMetrics']
export type ScoreFigures = UiComponents['schemas']['PromptScores']
type Point = UiComponents['schemas']['PromptPoint']

/** A value of a version, and that of the version before, if both are known. */
export type Compared = { now: number | null; before: number | null }

/** The figures of a version beside those of the next lower one that was used, too. */
export type FiguresRow = { figures: VersionFigures; before: VersionFigures | undefined }

/** Versions with the ones before them; the server sorts from highest to lowest. */
export function withBefore(versions: readonly VersionFigures[]): FiguresRow[] {
  return versions.map((figures, at) => ({ figures, before: versions[at + 1] }))
}

export function compared(
  { figures, before }: FiguresRow,
  value: (figures: VersionFigures) => number | null,
): Compared {
  return { now: value(figures), before: before ? value(before) : null }
}

/** The share of calls that failed. */
export function errorRate({ errors, count }: VersionFigures): number | null {
  return count === 0 ? null : errors / count
}

/** The relative change, as a share; undefined if there is nothing to compare with. */
export function changeOf({ now, before }: Compared): number | undefined {
  if (now === null || before === null) return undefined
  if (before === 0) return now === 0 ? 0 : undefined
  return (now - before) / Math.abs(before)
}

/** +12%, −3%, ×4.5; nothing for changes that are not worth a word. */
export function changeText(change: number | undefined): string {
  if (change === undefined || Math.abs(change) < 0.005) return ''
  if (change >= 9) return `×${Math.round(change + 1)}`
  return `${change > 0 ? '+' : '−'}${Math.round(Math.abs(change) * 100)}%`
}

/** The change of a share, in percentage points. */
export function pointsText({ now, before }: Compared): string {
  if (now === null || before === null) return ''
  const points = Math.round((now - before) * 1000) / 10
  return points === 0 ? '' : `${points > 0 ? '+' : '−'}${Math.abs(points)} pp`
}

/** The scores that versions have, by what tells them apart, the most frequent first. */
export function scoresIn(
  versions: readonly VersionFigures[],
): { name: string; source: string; dataType: string }[] {
  const counts = new Map<string, { score: ScoreFigures; count: number }>()
  for (const score of versions.flatMap(({ scores }) => scores)) {
    const key = JSON.stringify([score.name, score.source, score.dataType])
    counts.set(key, { score, count: (counts.get(key)?.count ?? 0) + score.count })
  }
  return [...counts.values()]
    .toSorted((a, b) => b.count - a.count || a.score.name.localeCompare(b.score.name))
    .map(({ score: { name, source, dataType } }) => ({ name, source, dataType }))
}

export function scoreOf(
  figures: VersionFigures | undefined,
  wanted: { name: string; source: string; dataType: string },
): ScoreFigures | undefined {
  return figures?.scores.find(
    ({ name, source, dataType }) =>
      name === wanted.name && source === wanted.source && dataType === wanted.dataType,
  )
}

/** The most frequent value of a score that is no number, and its share. */
export function mainValue({ values, count }: ScoreFigures): string {
  const [most] = Object.entries(values).toSorted(([, a], [, b]) => b - a)
  return most && count > 0 ? `${most[0]} ${Math.round((most[1] / count) * 100)}%` : '–'
}

export const measures = ['count', 'errors', 'p50', 'cost'] as const
export type Measure = (typeof measures)[number]

export type Series = { label: string; values: (number | null)[] }

/** The points of a measure as one series for each version; without calls, a count is zero and a latency is unknown. */
export function seriesOf(
  series: { buckets: number; points: readonly Point[] },
  measure: Measure,
): Series[] {
  const missing = measure === 'count' || measure === 'errors' ? 0 : null
  const byVersion = new Map<number, (number | null)[]>()
  for (const point of series.points) {
    const values =
      byVersion.get(point.version) ??
      Array.from({ length: series.buckets }, (): number | null => missing)
    if (point.bucket < values.length) values[point.bucket] = point[measure]
    byVersion.set(point.version, values)
  }
  return [...byVersion]
    .toSorted(([a], [b]) => b - a)
    .map(([version, values]) => ({ label: `v${version}`, values }))
}

const longestRange = 366 * 86_400_000

/** The range that figures can be asked for: its last year, if it is longer. */
export function withinYear({ from, to }: { from: Date; to: Date }): {
  from: Date
  to: Date
  isCut: boolean
} {
  const earliest = new Date(to.getTime() - longestRange)
  const isCut = from < earliest
  return { from: isCut ? earliest : from, to, isCut }
}
