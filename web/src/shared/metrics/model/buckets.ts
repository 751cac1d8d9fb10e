import { dateOf, parts, type Zone } from '@/shared/lib/time'

/** The length of a chart's buckets. */
export type Granularity = 'minute' | 'hour' | 'day' | 'week'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

export const stepOf: Record<Granularity, number> = { minute, hour, day, week: 7 * day }

/** Whether buckets depend on the time zone. */
export function isCalendar(granularity: Granularity): boolean {
  return granularity === 'day' || granularity === 'week'
}

/** The granularity that gives a chart of a range neither too few buckets nor hundreds. */
export function granularityFor(from: Date, to: Date): Granularity {
  const length = to.getTime() - from.getTime()
  if (length <= 3 * hour) return 'minute'
  if (length <= 4 * day) return 'hour'
  return length <= 120 * day ? 'day' : 'week'
}

/**
 * The starts of all buckets that overlap a range. Days and weeks, which begin on Mondays, are those of the zone; shorter
 * buckets are aligned to UTC.
 */
export function bucketStarts(from: Date, to: Date, granularity: Granularity, zone: Zone): Date[] {
  const starts: Date[] = []
  if (!isCalendar(granularity)) {
    const step = stepOf[granularity]
    const first = Math.floor(from.getTime() / step) * step
    for (let at = first; at < to.getTime(); at += step) starts.push(new Date(at))
    return starts
  }
  const first = parts(from, zone)
  const days = granularity === 'week' ? 7 : 1
  const sinceStart = granularity === 'week' ? (first.weekday + 6) % 7 : 0
  for (let n = -sinceStart; ; n += days) {
    const start = dateOf(first.year, first.month, first.day + n, 0, 0, zone)
    if (start >= to) return starts
    starts.push(start)
  }
}

type Row = Record<string, unknown>

/** One value per bucket; `missing` where the response has none. */
export function seriesOf(
  rows: readonly Row[],
  starts: readonly Date[],
  key: string,
  missing: number | null,
  zone: Zone,
): (number | null)[] {
  const byTime = new Map<number, number | null>()
  for (const row of rows) {
    const at = timeOf(String(row.time_dimension), zone)
    const value = row[key]
    if (!Number.isNaN(at)) byTime.set(at, typeof value === 'number' ? value : missing)
  }
  return starts.map((start) => byTime.get(start.getTime()) ?? missing)
}

/** The time of a bucket, of which days have only the date. */
function timeOf(text: string, zone: Zone): number {
  const [, year, month, date] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text) ?? []
  if (date === undefined) return Date.parse(text)
  return dateOf(Number(year), Number(month), Number(date), 0, 0, zone).getTime()
}

/** A number in a row; undefined if the value is not a number. */
export function numberOf(row: Row | undefined, key: string): number | undefined {
  const value = row?.[key]
  return typeof value === 'number' ? value : undefined
}
