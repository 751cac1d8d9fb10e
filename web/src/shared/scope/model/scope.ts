import { decodeRange, defaultRange, resolveRange, type TimeRange } from '@/shared/lib/timeRange'

/** A time range and environments, as requests take them. */
export type Scope = { from?: string; to?: string; environment?: string[] }

/** A range up to now has no end, so that rows from clocks that run ahead are included. */
export function toScope(range: TimeRange, environment: readonly string[], now: Date): Scope {
  const { from, to } = resolveRange(range, now)
  return {
    ...(range.kind !== 'all' && { from: from.toISOString() }),
    ...(range.kind === 'between' && { to: to.toISOString() }),
    ...(environment.length > 0 && { environment: [...environment] }),
  }
}

export function toList(value: string | string[] | undefined): string[] {
  return (Array.isArray(value) ? value : [value ?? '']).filter((each) => each !== '')
}

/** The time range that a parameter of the URL stands for. */
export function rangeOf(dateRange: string | undefined): TimeRange {
  return decodeRange(dateRange ?? '') ?? defaultRange
}
