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

/** Reads a point in time: a day (in UTC), or a day and a time (local, unless a zone is given). */
export function readMoment(text: string): string | undefined {
  if (
    !/^\d{4}-\d{2}-\d{2}(?:[Tt ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:[Zz]|[+-]\d{2}:?\d{2})?)?$/.test(
      text,
    )
  )
    return undefined
  const at = new Date(text.replace(' ', 'T').toUpperCase())
  return Number.isNaN(at.getTime()) ? undefined : at.toISOString()
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
