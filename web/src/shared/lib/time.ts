import { countOf } from './format'

/** Readable times. `Zone` is the setting of the local/UTC switch. */
export type Zone = 'local' | 'utc'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

/** Clocks differ by this much; what happened is not in the future. */
const clockError = 5 * minute

/** How long ago something happened: "3 min ago"; the time itself if a clock is far ahead. */
export function formatPast(at: Date, now: Date, zone: Zone): string {
  const ahead = at.getTime() - now.getTime()
  if (ahead <= 0) return formatRelative(at, now)
  return ahead <= clockError ? 'just now' : formatMinute(at, zone)
}

/** A time in a sentence: "in 7 days", "3 minutes ago", "now". */
export function formatWords(at: Date, now: Date): string {
  const ahead = at.getTime() - now.getTime()
  const size = Math.abs(ahead)
  const [count, unit] =
    size < 59.5 * minute
      ? [Math.round(size / minute), 'minute']
      : size < 47.5 * hour
        ? [Math.round(size / hour), 'hour']
        : [Math.round(size / day), 'day']
  if (count === 0) return 'now'
  const words = countOf(count, unit)
  return ahead > 0 ? `in ${words}` : `${words} ago`
}

/** "3 min ago", "in 2 d", "just now". */
export function formatRelative(at: Date, now: Date): string {
  const past = now.getTime() - at.getTime()
  const size = Math.abs(past)
  if (size < 10_000) return 'just now'
  const [count, unit] =
    size < minute
      ? [Math.floor(size / 1000), 's']
      : size < hour
        ? [Math.floor(size / minute), 'min']
        : size < day
          ? [Math.floor(size / hour), 'h']
          : size < 60 * day
            ? [Math.floor(size / day), 'd']
            : size < 730 * day
              ? [Math.floor(size / (30 * day)), 'mo']
              : [Math.floor(size / (365 * day)), 'y']
  return past >= 0 ? `${count} ${unit} ago` : `in ${count} ${unit}`
}

/** 2026-11-16 14:05:09.120 +01:00, or with UTC at the end. Milliseconds are omitted if zero. */
export function formatFull(at: Date, zone: Zone): string {
  const p = parts(at, zone)
  const fraction = p.millisecond === 0 ? '' : `.${pad(p.millisecond, 3)}`
  const offset = zone === 'utc' ? 'UTC' : formatOffset(-at.getTimezoneOffset())
  return `${p.year}-${pad(p.month)}-${pad(p.day)} ${pad(p.hour)}:${pad(p.minute)}:${pad(p.second)}${fraction} ${offset}`
}

/** 2026-11-16 14:05, for inputs and labels. */
export function formatMinute(at: Date, zone: Zone): string {
  const p = parts(at, zone)
  return `${p.year}-${pad(p.month)}-${pad(p.day)} ${pad(p.hour)}:${pad(p.minute)}`
}

export type DateParts = {
  year: number
  month: number
  day: number
  hour: number
  minute: number
  second: number
  millisecond: number
  weekday: number
}

/** The calendar parts of a point in time; months count from 1, weekdays from Sunday = 0. */
export function parts(at: Date, zone: Zone): DateParts {
  if (zone === 'utc') {
    return {
      year: at.getUTCFullYear(),
      month: at.getUTCMonth() + 1,
      day: at.getUTCDate(),
      hour: at.getUTCHours(),
      minute: at.getUTCMinutes(),
      second: at.getUTCSeconds(),
      millisecond: at.getUTCMilliseconds(),
      weekday: at.getUTCDay(),
    }
  }
  return {
    year: at.getFullYear(),
    month: at.getMonth() + 1,
    day: at.getDate(),
    hour: at.getHours(),
    minute: at.getMinutes(),
    second: at.getSeconds(),
    millisecond: at.getMilliseconds(),
    weekday: at.getDay(),
  }
}

/** The name of the local zone: Europe/Berlin. */
export function zoneName(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone
}

/** The point in time with these calendar parts; days and hours may overflow: hour 25 is 1:00 on the next day. */
export function dateOf(
  year: number,
  month: number,
  day: number,
  hours: number,
  minutes: number,
  zone: Zone,
): Date {
  return zone === 'utc'
    ? new Date(Date.UTC(year, month - 1, day, hours, minutes))
    : new Date(year, month - 1, day, hours, minutes)
}

function formatOffset(minutes: number): string {
  const size = Math.abs(minutes)
  return `${minutes < 0 ? '-' : '+'}${pad(Math.floor(size / 60))}:${pad(size % 60)}`
}

function pad(n: number, width = 2): string {
  return String(n).padStart(width, '0')
}
