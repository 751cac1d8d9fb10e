import { useMemo } from 'react'
import { useSearchState } from '@/shared/lib/useSearchState'
import { toList, useAsOf, useTimeRange } from '@/shared/scope'
import { encodeRange, type TimeRange } from '@/shared/lib/timeRange'
import { encodeFilter, queryOfAddress, type Query } from '../model/query'
import { toSelection, type Selection } from '../model/view'

export type TraceQuery = {
  query: Query
  /** Parts of the URL that have no meaning here. */
  unknown: string[]
  range: TimeRange
  environment: string[]
  /** Identifies the query: unchanged as long as the same is requested, at whatever time. */
  resetKey: string
  selection: Selection
  /** The point in time up to which rows are shown. */
  asOf: Date
  refresh: () => void
  setQuery: (query: Query) => void
  setRange: (range: TimeRange) => void
}

/** The query, time range and environments in the URL. */
export function useTraceQuery(): TraceQuery {
  const [search, change] = useSearchState()
  const range = useTimeRange()
  const environment = toList(search.environment)

  const resetKey = JSON.stringify([search.filter, search.search, encodeRange(range), environment])
  const [asOf, refresh] = useAsOf(resetKey)

  const parts = useMemo(
    () => queryOfAddress(search.filter ?? '', search.search ?? ''),
    [search.filter, search.search],
  )
  return {
    ...parts,
    range,
    environment,
    resetKey,
    asOf,
    selection: toSelection(parts.query, range, environment, asOf),
    refresh,
    setQuery: (query) =>
      change({
        filter: encodeFilter(query.conditions),
        search: query.search === '' ? undefined : query.search,
      }),
    setRange: (next) => change({ dateRange: encodeRange(next) }),
  }
}
