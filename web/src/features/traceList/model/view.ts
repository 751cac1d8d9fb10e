import { resolveRange, type TimeRange } from '@/shared/lib/timeRange'
import type { Condition, Query } from './query'

/** A selection, as the server's queries take it. */
export type Selection = {
  from?: string
  to?: string
  filter?: Condition[]
  environment?: string[]
  search?: string
  /** Whether the conditions hold for an observation, the default, or for whole traces. */
  conditionsOn?: 'traces'
}

/** The two tables: traces with their totals, and single observations. */
export type Table = 'traces' | 'observations'

/**
 * The selection of a query, a range and environments at a point in time. A range up to now has no end, so that rows
 * from clocks that run ahead are included.
 */
export function toSelection(
  table: Table,
  query: Query,
  range: TimeRange,
  environment: readonly string[],
  now: Date,
): Selection {
  const { from, to } = resolveRange(range, now)
  return {
    ...(range.kind !== 'all' && { from: from.toISOString() }),
    ...(range.kind === 'between' && { to: to.toISOString() }),
    ...(query.conditions.length > 0 && { filter: query.conditions }),
    ...(environment.length > 0 && { environment: [...environment] }),
    ...(query.search !== '' && { search: query.search }),
    ...(table === 'traces' && { conditionsOn: table }),
  }
}

/** The selection of the chosen rows, whenever they began. */
export function pickedSelection(
  table: Table,
  rows: readonly { traceId: string; id: string }[],
): Selection {
  const anyOf = (column: string, ids: string[]): Condition => ({
    type: 'stringOptions',
    column,
    operator: 'any of',
    value: [...new Set(ids)],
  })
  const traces = anyOf(
    'traceId',
    rows.map((row) => row.traceId),
  )
  if (table === 'traces') return { filter: [traces], conditionsOn: table }
  // Both, since traces may share observation ids.
  return {
    filter: [
      traces,
      anyOf(
        'id',
        rows.map((row) => row.id),
      ),
    ],
  }
}
