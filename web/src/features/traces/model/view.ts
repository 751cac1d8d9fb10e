import { resolveRange, type TimeRange } from '@/lib/timeRange'
import type { Condition, Query } from './query'

/** What is selected, as the server's queries take it. */
export type Selection = {
  from?: string
  to?: string
  filter?: Condition[]
  environment?: string[]
  search?: string
}

/** The two tables: traces with their totals, and single observations. */
export type Table = 'traces' | 'observations'

/**
 * The selection of a query, a range and environments at a moment. A range up to now has no end, so that clocks that run ahead
 * lose nothing.
 */
export function toSelection(
  query: Query,
  range: TimeRange,
  environment: readonly string[],
  now: Date,
): Selection {
  const { from, to } = resolveRange(range, now)
  return {
    from: from.toISOString(),
    ...(range.kind === 'between' && { to: to.toISOString() }),
    ...(query.conditions.length > 0 && { filter: query.conditions }),
    ...(environment.length > 0 && { environment: [...environment] }),
    ...(query.search !== '' && { search: query.search }),
  }
}

export function toList(value: string | string[] | undefined): string[] {
  return (Array.isArray(value) ? value : [value ?? '']).filter((each) => each !== '')
}
