/** The length of a chart's buckets. */
export type Granularity = 'minute' | 'hour' | 'day' | 'week'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

export const stepOf: Record<Granularity, number> = { minute, hour, day, week: 7 * day }

/** The granularity that gives a chart of a range neither too few buckets nor hundreds. */
export function granularityFor(from: Date, to: Date): Granularity {
  const length = to.getTime() - from.getTime()
  if (length <= 3 * hour) return 'minute'
  if (length <= 4 * day) return 'hour'
  return length <= 120 * day ? 'day' : 'week'
}

/** The starts of all buckets that overlap a range. Buckets are aligned to UTC; weeks begin on Mondays. */
export function bucketStarts(from: Date, to: Date, granularity: Granularity): Date[] {
  const step = stepOf[granularity]
  // The epoch was a Thursday.
  const offset = granularity === 'week' ? 4 * day : 0
  const first = Math.floor((from.getTime() - offset) / step) * step + offset
  const starts: Date[] = []
  for (let at = first; at < to.getTime(); at += step) starts.push(new Date(at))
  return starts
}

type Row = Record<string, unknown>

/** One value per bucket; `missing` where the response has none. */
export function seriesOf(
  rows: readonly Row[],
  starts: readonly Date[],
  key: string,
  missing: number | null,
): (number | null)[] {
  const byTime = new Map<number, number | null>()
  for (const row of rows) {
    const at = Date.parse(String(row.time_dimension))
    const value = row[key]
    if (!Number.isNaN(at)) byTime.set(at, typeof value === 'number' ? value : missing)
  }
  return starts.map((start) => byTime.get(start.getTime()) ?? missing)
}

/** A number in a row; undefined if the value is not a number. */
export function numberOf(row: Row | undefined, key: string): number | undefined {
  const value = row?.[key]
  return typeof value === 'number' ? value : undefined
}
