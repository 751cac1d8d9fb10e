import { encodeFilter, type Condition } from '@/shared/lib/filter'
import { encodeRange } from '@/shared/lib/timeRange'

/** A link to the rows of a figure: the path below the project's address, and the search parameters. */
export type RowsLink = { path: string; search: Record<string, string | undefined> }

const isRoot: Condition = {
  type: 'boolean',
  column: 'isRootObservation',
  operator: '=',
  value: true,
}
const isError: Condition = {
  type: 'stringOptions',
  column: 'level',
  operator: 'any of',
  value: ['ERROR'],
}

export const tracesLink: RowsLink = { path: 'traces', search: {} }

export const errorsLink: RowsLink = {
  path: 'traces',
  search: { filter: encodeFilter([isError]) },
}

/** Traces that took at least this long, slowest first. */
export function slowLink(milliseconds: number | undefined): RowsLink {
  const conditions: Condition[] =
    milliseconds === undefined
      ? []
      : [isRoot, { type: 'number', column: 'latency', operator: '>=', value: milliseconds / 1000 }]
  return { path: 'traces', search: { filter: encodeFilter(conditions), sort: 'latency.desc' } }
}

export function sortedLink(column: 'totalCost' | 'totalTokens'): RowsLink {
  return { path: 'traces', search: { sort: `${column}.desc` } }
}

/** The calls of a model, the most expensive first. */
export function modelLink(model: string): RowsLink {
  const filter = encodeFilter([
    { type: 'stringOptions', column: 'model', operator: 'any of', value: [model] },
  ])
  return { path: 'observations', search: { filter, sort: 'totalCost.desc' } }
}

export function userLink(userId: string): RowsLink {
  return { path: `users/${encodeURIComponent(userId)}`, search: {} }
}

export function scoreLink(dataType: string, name: string): RowsLink {
  return { path: 'scores/analytics', search: { score: `${dataType}:${name}` } }
}

/** The same rows restricted to a time range. */
export function within(link: RowsLink, from: Date, to: Date): RowsLink {
  return {
    ...link,
    search: { ...link.search, dateRange: encodeRange({ kind: 'between', from, to }) },
  }
}
