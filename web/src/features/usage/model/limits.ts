import type { UiComponents } from '@/shared/api'
import { formatBytes, formatExact } from '@/shared/lib/format'

export type Limit = UiComponents['schemas']['Limits']['limits'][number]
export type LimitName = Limit['name']

/** The limits that are set; null is that of the instance, or none. */
export type NewLimits = Record<LimitName, number | null>

/** What is typed: numbers, megabytes for bytes, and nothing for the limit of the instance. */
export type LimitValues = Record<LimitName, string>

export const limitNames: readonly { name: LimitName; label: string; field: string }[] = [
  { name: 'requestsPerMinute', label: 'Requests per minute', field: 'Requests per minute' },
  { name: 'requestsPerDay', label: 'Requests per day', field: 'Requests per day' },
  { name: 'spansPerMinute', label: 'Spans per minute', field: 'Spans per minute' },
  { name: 'spansPerDay', label: 'Spans per day', field: 'Spans per day' },
  { name: 'bytesPerMinute', label: 'Bytes per minute', field: 'Megabytes per minute' },
  { name: 'bytesPerDay', label: 'Bytes per day', field: 'Megabytes per day' },
]

/** The server takes no more. */
const most = 2 ** 50
const megabyte = 1_000_000

const isBytes = (name: LimitName) => name.startsWith('bytes')

export function formatAmount(name: LimitName, amount: number): string {
  return isBytes(name) ? formatBytes(amount) : formatExact(amount)
}

/** How much of a limit is used, at most 1; nothing without a limit. */
export function shareOf({ limit, used }: Limit): number | undefined {
  return limit === null ? undefined : Math.min(1, used / limit)
}

export function toLimitValues(limits: readonly Limit[]): LimitValues {
  const textOf = (name: LimitName) => {
    const set = limits.find((each) => each.name === name)
    if (!set || set.limit === null || set.isDefault) return ''
    return String(isBytes(name) ? set.limit / megabyte : set.limit)
  }
  return eachName(textOf)
}

export function newLimits(values: LimitValues): NewLimits {
  return eachName((name) => {
    const text = values[name].trim()
    if (text === '') return null
    return isBytes(name) ? Math.round(Number(text) * megabyte) : Number(text)
  })
}

export function limitProblems(values: LimitValues): Partial<Record<LimitName, string>> {
  return eachName((name) => {
    const limit = newLimits(values)[name]
    if (limit === null || (Number.isSafeInteger(limit) && limit >= 1 && limit <= most))
      return undefined
    return isBytes(name)
      ? 'Enter a number of megabytes, or leave it empty'
      : 'Enter a whole number, 1 or more, or leave it empty'
  })
}

function eachName<T>(of: (name: LimitName) => T): Record<LimitName, T> {
  return {
    requestsPerMinute: of('requestsPerMinute'),
    requestsPerDay: of('requestsPerDay'),
    spansPerMinute: of('spansPerMinute'),
    spansPerDay: of('spansPerDay'),
    bytesPerMinute: of('bytesPerMinute'),
    bytesPerDay: of('bytesPerDay'),
  }
}
