import { encodeFilter, type Condition } from '@/shared/lib/filter'
import { encodeRange } from '@/shared/lib/timeRange'
import type { CostOf } from './costByModel'

/** A link to the rows of a figure. */
export type RowsLink = {
  to:
    | '/project/$projectId/traces'
    | '/project/$projectId/observations'
    | '/project/$projectId/scores/analytics'
  search: { filter?: string; sort?: string; score?: string; dateRange?: string }
}

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

export const tracesLink: RowsLink = { to: '/project/$projectId/traces', search: {} }

export const errorsLink: RowsLink = {
  to: '/project/$projectId/traces',
  search: { filter: encodeFilter([isError]) },
}

/** Traces that took at least this long, slowest first. */
export function slowLink(milliseconds: number | undefined): RowsLink {
  const conditions: Condition[] =
    milliseconds === undefined
      ? []
      : [isRoot, { type: 'number', column: 'latency', operator: '>=', value: milliseconds / 1000 }]
  return {
    to: '/project/$projectId/traces',
    search: { filter: encodeFilter(conditions), sort: 'latency.desc' },
  }
}

export function sortedLink(column: 'totalCost' | 'totalTokens'): RowsLink {
  return { to: '/project/$projectId/traces', search: { sort: `${column}.desc` } }
}

/** The calls of a model, the most expensive first. */
export function modelLink(model: string): RowsLink {
  const filter = encodeFilter([
    { type: 'stringOptions', column: 'model', operator: 'any of', value: [model] },
  ])
  return { to: '/project/$projectId/observations', search: { filter, sort: 'totalCost.desc' } }
}

/** The calls behind a series of costs. */
export function costLink(of: CostOf): RowsLink {
  if (of.kind === 'model') return modelLink(of.model)
  if (of.models.length === 0) return sortedLink('totalCost')
  const filter = encodeFilter([
    { type: 'stringOptions', column: 'model', operator: 'none of', value: of.models },
  ])
  return { to: '/project/$projectId/observations', search: { filter, sort: 'totalCost.desc' } }
}

export function scoreLink(dataType: string, name: string): RowsLink {
  return { to: '/project/$projectId/scores/analytics', search: { score: `${dataType}:${name}` } }
}

/** The same rows restricted to a time range. */
export function within(link: RowsLink, from: Date, to: Date): RowsLink {
  return {
    ...link,
    search: { ...link.search, dateRange: encodeRange({ kind: 'between', from, to }) },
  }
}
