/** Number formats used everywhere. All functions are pure and have table tests. */

const exact = new Intl.NumberFormat('en-US', { maximumFractionDigits: 20 })
const dollars = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' })

/** Money with enough digits to be non-zero: $1,204.50, $0.0123, $0.0000042. */
export function formatMoney(amount: number): string {
  const size = Math.abs(amount)
  if (size === 0 || size >= 1) return dollars.format(amount)
  if (size < 1e-9) return amount < 0 ? '> -$0.000000001' : '< $0.000000001'
  const leadingZeros = Math.floor(-Math.log10(size))
  const digits = Math.max(2, leadingZeros + (size >= 0.01 ? 3 : 2))
  const text = size.toFixed(digits).replace(/(\.\d\d\d*?)0+$/, '$1')
  return `${amount < 0 ? '-' : ''}$${text}`
}

/** Durations in readable units: 340 ms, 1.2 s, 2 min 05 s, 3 h 10 min, 2 d 4 h. */
export function formatDuration(milliseconds: number): string {
  const ms = Math.max(0, milliseconds)
  if (ms > 0 && ms < 1) return `${trim(ms, 2)} ms`
  if (ms < 999.5) return `${Math.round(ms)} ms`
  if (ms < 59_950) return `${trim(ms / 1000, ms < 9_995 ? 2 : 1)} s`
  const seconds = Math.round(ms / 1000)
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${pad(seconds % 60)} s`
  const minutes = Math.round(seconds / 60)
  if (minutes < 24 * 60) return `${Math.floor(minutes / 60)} h ${pad(minutes % 60)} min`
  const hours = Math.round(minutes / 60)
  return `${Math.floor(hours / 24)} d ${hours % 24} h`
}

/** Short counts: 940, 12.3k, 4.56M. */
export function formatCount(count: number): string {
  const size = Math.abs(count)
  if (size < 1000) return String(Math.round(count * 100) / 100)
  const [divisor, unit] = size < 999_950 ? [1e3, 'k'] : size < 999_950_000 ? [1e6, 'M'] : [1e9, 'B']
  const value = count / divisor
  return trim(value, Math.abs(value) < 10 ? 2 : Math.abs(value) < 100 ? 1 : 0) + unit
}

/** All digits of a count, grouped: 12,345. */
export function formatExact(count: number): string {
  return exact.format(count)
}

/** A count with its noun: "1 trace", "2,000 traces". */
export function countOf(count: number, one: string, many = `${one}s`): string {
  return `${formatExact(count)} ${count === 1 ? one : many}`
}

/** A share of the whole: 12.5%. */
export function formatShare(share: number): string {
  return `${Math.round(share * 1000) / 10}%`
}

/** Sizes of texts and files: 512 B, 64 KB, 20 MB. */
export function formatBytes(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`
  const [divisor, unit] =
    bytes < 999_500 ? [1e3, 'KB'] : bytes < 999_500_000 ? [1e6, 'MB'] : [1e9, 'GB']
  const value = bytes / divisor
  return `${trim(value, value < 9.95 ? 1 : 0)} ${unit}`
}

type Score = number | string | null

/** A score, or several with one name, in short form; undefined if there is none. */
export function formatScore(value: Score | Score[] | undefined): string | undefined {
  if (value === undefined || value === null) return undefined
  if (Array.isArray(value)) return value.map((each) => formatScore(each) ?? '–').join(', ')
  return typeof value === 'number' ? String(Math.round(value * 1000) / 1000) : value
}

function trim(value: number, digits: number): string {
  return value.toFixed(digits).replace(/\.?0+$/, digits > 0 ? '' : '$&')
}

function pad(n: number): string {
  return String(n).padStart(2, '0')
}
