import { formatMinute, dateOf, parts, type Zone } from './time'

/**
 * A time range as written in the URL: relative to now ("24h") or between two times
 * ("2026-11-16T09:00:00.000Z~2026-11-16T12:00:00.000Z").
 */
export type TimeRange =
  | { kind: 'last'; amount: number; unit: RangeUnit }
  | { kind: 'between'; from: Date; to: Date }
  | { kind: 'all' }

export type RangeUnit = 'm' | 'h' | 'd' | 'w'

const unitMilliseconds: Record<RangeUnit, number> = {
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
}
const unitNames: Record<RangeUnit, [string, string]> = {
  m: ['minute', 'minutes'],
  h: ['hour', 'hours'],
  d: ['day', 'days'],
  w: ['week', 'weeks'],
}
const maxAmount = 9999

export const defaultRange: TimeRange = { kind: 'last', amount: 24, unit: 'h' }

/** Everything that is stored. */
export const allTime: TimeRange = { kind: 'all' }

export const commonRanges: TimeRange[] = [
  { kind: 'last', amount: 15, unit: 'm' },
  { kind: 'last', amount: 1, unit: 'h' },
  { kind: 'last', amount: 6, unit: 'h' },
  { kind: 'last', amount: 24, unit: 'h' },
  { kind: 'last', amount: 7, unit: 'd' },
  { kind: 'last', amount: 30, unit: 'd' },
  { kind: 'last', amount: 90, unit: 'd' },
]

export function encodeRange(range: TimeRange): string {
  if (range.kind === 'all') return 'all'
  return range.kind === 'last'
    ? `${range.amount}${range.unit}`
    : `${range.from.toISOString()}~${range.to.toISOString()}`
}

/** Reads a range from the URL; returns undefined if it is invalid. */
export function decodeRange(text: string): TimeRange | undefined {
  if (text === 'all') return allTime
  const last = /^(\d{1,4})([mhdw])$/.exec(text)
  if (last) return lastOf(Number(last[1]), last[2])
  const [from, to, rest] = text.split('~')
  if (from === undefined || to === undefined || rest !== undefined) return undefined
  return between(new Date(from), new Date(to))
}

/** The two ends of a range, relative to the given time. Everything begins with the epoch. */
export function resolveRange(range: TimeRange, now: Date): { from: Date; to: Date } {
  if (range.kind === 'between') return { from: range.from, to: range.to }
  if (range.kind === 'all') return { from: new Date(0), to: now }
  return { from: new Date(now.getTime() - range.amount * unitMilliseconds[range.unit]), to: now }
}

export function labelRange(range: TimeRange, zone: Zone): string {
  if (range.kind === 'all') return 'All time'
  if (range.kind === 'last') {
    const [one, many] = unitNames[range.unit]
    return range.amount === 1 ? `Last ${one}` : `Last ${range.amount} ${many}`
  }
  const from = formatMinute(range.from, zone)
  const to = formatMinute(range.to, zone)
  return from.slice(0, 10) === to.slice(0, 10) ? `${from} – ${to.slice(11)}` : `${from} – ${to}`
}

/**
 * Parses a typed range: "3h", "last 2 days", "today", "yesterday", "this week", "tue 9-12", "last tue 9:30-12",
 * "2026-11-01", "2026-11-01..2026-11-05", "2026-11-01 09:00 to 2026-11-01 12:00", "9-12". Returns undefined for
 * anything else.
 */
export function parseTyped(text: string, now: Date, zone: Zone): TimeRange | undefined {
  const typed = text.trim().toLowerCase().replace(/\s+/g, ' ')
  if (typed === '') return undefined
  if (/^(all|all time|everything|ever)$/.test(typed)) return allTime
  return (
    parseLast(typed) ??
    parseIso(text.trim()) ??
    parseDayAndHours(typed, now, zone) ??
    parseEnds(typed, zone)
  )
}

function parseLast(typed: string): TimeRange | undefined {
  const match =
    /^(?:last |past )?(\d{1,4})? ?(m|mins?|minutes?|h|hrs?|hours?|d|days?|w|wks?|weeks?)$/.exec(
      typed,
    )
  if (!match || (match[1] === undefined && !/^(last|past) /.test(typed))) return undefined
  return lastOf(Number(match[1] ?? 1), match[2]?.[0])
}

function parseIso(text: string): TimeRange | undefined {
  return text.includes('~') ? decodeRange(text) : undefined
}

const weekdays = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat']

function parseDayAndHours(typed: string, now: Date, zone: Zone): TimeRange | undefined {
  const hours = /(?:^| )(\d{1,2})(?::(\d{2}))? ?(?:-|–|to) ?(\d{1,2})(?::(\d{2}))?$/.exec(typed)
  const dayText = (hours ? typed.slice(0, hours.index) : typed).trim()
  const today = parts(now, zone)
  const at = (daysBack: number, hour: number, minutes: number) =>
    dateOf(today.year, today.month, today.day - daysBack, hour, minutes, zone)

  if (dayText === 'this week' && !hours) return between(at((today.weekday + 6) % 7, 0, 0), now)
  if (dayText === 'this month' && !hours)
    return between(dateOf(today.year, today.month, 1, 0, 0, zone), now)

  const daysBack = daysBackOf(dayText, today.weekday)
  if (daysBack === undefined) return undefined
  if (hours) {
    const [fromHour, fromMinute, toHour, toMinute] = [1, 2, 3, 4].map((i) => Number(hours[i] ?? 0))
    if (fromHour === undefined || toHour === undefined || fromHour > 24 || toHour > 24)
      return undefined
    if ((fromMinute ?? 0) > 59 || (toMinute ?? 0) > 59) return undefined
    return between(at(daysBack, fromHour, fromMinute ?? 0), at(daysBack, toHour, toMinute ?? 0))
  }
  return daysBack === 0
    ? between(at(0, 0, 0), now)
    : between(at(daysBack, 0, 0), at(daysBack - 1, 0, 0))
}

function daysBackOf(day: string, weekday: number): number | undefined {
  // Hours without a day mean today.
  if (day === '' || day === 'today') return 0
  if (day === 'yesterday') return 1
  const match = /^(last )?(sun|mon|tue|wed|thu|fri|sat)[a-z]*$/.exec(day)
  const wanted = match?.[2] === undefined ? -1 : weekdays.indexOf(match[2])
  if (wanted < 0) return undefined
  const back = (weekday - wanted + 7) % 7
  return back === 0 && match?.[1] !== undefined ? 7 : back
}

function parseEnds(typed: string, zone: Zone): TimeRange | undefined {
  const [fromText, toText, rest] = typed.split(/ ?(?:\.\.|–| to | - ) ?/)
  if (fromText === undefined || rest !== undefined) return undefined
  const from = parseMoment(fromText, zone)
  if (!from) return undefined
  const to = toText === undefined ? from : parseMoment(toText, zone)
  if (!to) return undefined
  return between(from.start, to.end)
}

/** A point in time, or the two ends of a day, which may have 23 or 25 hours when clocks change. */
function parseMoment(text: string, zone: Zone): { start: Date; end: Date } | undefined {
  const match =
    /^(\d{4})-(\d{1,2})-(\d{1,2})(?:[ t](\d{1,2}):(\d{2})(?::\d{2}(?:\.\d+)?)?)?(z)?$/.exec(
      text.trim(),
    )
  if (!match) return undefined
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0] = match
    .slice(1, 6)
    .map((part) => Number(part ?? 0))
  if (month > 12 || day > 31 || hour > 24 || minute > 59) return undefined
  const at = (daysLater: number) =>
    dateOf(year, month, day + daysLater, hour, minute, match[6] ? 'utc' : zone)
  return { start: at(0), end: at(match[4] === undefined ? 1 : 0) }
}

function lastOf(amount: number, unit: string | undefined): TimeRange | undefined {
  if (unit !== 'm' && unit !== 'h' && unit !== 'd' && unit !== 'w') return undefined
  return amount > 0 && amount <= maxAmount ? { kind: 'last', amount, unit } : undefined
}

function between(from: Date, to: Date): TimeRange | undefined {
  if (Number.isNaN(from.getTime()) || Number.isNaN(to.getTime()) || from >= to) return undefined
  return { kind: 'between', from, to }
}
