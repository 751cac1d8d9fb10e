import { decodeRange, encodeRange, type TimeRange } from '@/shared/lib/timeRange'
import type { Selection } from './view'

/** What is compared with the rest: a part of the time range, or the rows that match the query. */
export type Comparing = { kind: 'time'; range: TimeRange & { kind: 'between' } } | { kind: 'query' }

export function encodeComparing(comparing: Comparing): string {
  return comparing.kind === 'query' ? 'query' : encodeRange(comparing.range)
}

export function decodeComparing(text: string | undefined): Comparing | undefined {
  if (text === undefined || text === '') return undefined
  if (text === 'query') return { kind: 'query' }
  const range = decodeRange(text)
  return range?.kind === 'between' ? { kind: 'time', range } : undefined
}

/**
 * The two selections: a part of the time range against all of it, or the rows that match the query against all rows in
 * the range.
 */
export function selectionsOf(
  comparing: Comparing,
  all: Selection,
): { selection: Selection; baseline: Selection } {
  if (comparing.kind === 'time') {
    const { from, to } = comparing.range
    return {
      selection: { ...all, from: from.toISOString(), to: to.toISOString() },
      baseline: all,
    }
  }
  const { filter: _filter, search: _search, ...baseline } = all
  return { selection: all, baseline }
}
