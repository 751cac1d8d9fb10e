import { zonePreference } from '@/shared/lib/preferences'
import { dateOf, formatFull, parts } from '@/shared/lib/time'
import type { Field } from './fields'

const seconds: Record<string, number> = { ms: 0.001, s: 1, m: 60, min: 60, h: 3600 }
const counts: Record<string, number> = { k: 1e3, m: 1e6 }

/** Reads a number with a unit of its field: 300ms, 2s, $0.01, 10k. Returns undefined for anything else. */
export function readNumber(text: string, unit: Field['unit']): number | undefined {
  const match = /^(\$?)(-?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)([a-z]*)$/i.exec(text.trim())
  if (!match) return undefined
  const [, dollar, digits, suffix] = match
  const factor = factorOf((suffix ?? '').toLowerCase(), unit)
  if (factor === undefined || (dollar !== '' && unit !== 'dollars')) return undefined
  const value = Number(digits) * factor
  // 300 × 0.001 is 0.3, not 0.30000000000000004.
  return Number.isFinite(value) ? Number(value.toPrecision(15)) : undefined
}

function factorOf(suffix: string, unit: Field['unit']): number | undefined {
  if (suffix === '') return 1
  const factors = unit === 'seconds' ? seconds : unit === 'count' ? counts : {}
  return Object.hasOwn(factors, suffix) ? factors[suffix] : undefined
}

/** Formats a number so that reading it gives the same number. */
export function writeNumber(value: number, unit: Field['unit']): string {
  if (unit === 'seconds')
    return value > 0 && value < 1 ? `${Number((value * 1000).toPrecision(12))}ms` : `${value}s`
  return unit === 'dollars' ? `$${value}` : String(value)
}

/**
 * Reads a point in time: a day, or a day and a time. Without a zone of their own, both are in the one that times are shown
 * in.
 */
export function readMoment(text: string, zone = zonePreference.get()): string | undefined {
  const match =
    /^(\d{4})-(\d{2})-(\d{2})(?:[Tt ](\d{2}):(\d{2})(?::(\d{2}(?:\.\d+)?))?([Zz]|[+-]\d{2}:?\d{2})?)?$/.exec(
      text,
    )
  if (!match) return undefined
  if (match[7] !== undefined) {
    const at = new Date(text.replace(' ', 'T').toUpperCase())
    return Number.isNaN(at.getTime()) ? undefined : at.toISOString()
  }
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match
    .slice(1, 7)
    .map((part) => Number(part ?? 0))
  if (hour > 23 || minute > 59 || second >= 60) return undefined
  const at = dateOf(year, month, day, hour, minute, zone)
  // There is no 31st of February.
  if (parts(at, zone).day !== day || parts(at, zone).month !== month) return undefined
  return new Date(at.getTime() + Math.floor(second * 1000)).toISOString()
}

/** Writes a point in time so that reading it gives the same, as short as possible. */
export function writeMoment(iso: string, zone = zonePreference.get()): string {
  const at = new Date(iso)
  if (Number.isNaN(at.getTime())) return iso
  const full = formatFull(at, zone).replace(' ', 'T')
  const short = [full.slice(0, 10), full.slice(0, 16), full.slice(0, 19)]
  const found = short.find((each) => readMoment(each, zone) === at.toISOString())
  return found ?? at.toISOString()
}

export function readBoolean(text: string): boolean | undefined {
  const word = text.toLowerCase()
  return word === 'true' || word === 'yes'
    ? true
    : word === 'false' || word === 'no'
      ? false
      : undefined
}

/**
 * Whether the value of a score would be read as a number, a range or a boolean, so that a category like it must be
 * quoted.
 */
export function isScalarScore(text: string): boolean {
  return (
    readBoolean(text) !== undefined ||
    text.split('..', 2).every((part) => readNumber(part, undefined) !== undefined)
  )
}
