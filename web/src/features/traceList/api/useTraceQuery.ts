import { useMemo } from 'react'
import { useSearchState } from '@/shared/lib/useSearchState'
import { useAsOf } from '@/shared/scope'
import { encodeRange, type TimeRange } from '@/shared/lib/timeRange'
import { questionOf, type Question } from '../model/question'
import { encodeFilter, type Query } from '../model/query'
import { toSelection, type Selection, type Table } from '../model/view'

export type TraceQuery = Question & {
  selection: Selection
  /** The point in time up to which rows are shown. */
  asOf: Date
  refresh: () => void
  setQuery: (query: Query) => void
  setRange: (range: TimeRange) => void
}

/** The query, time range and environments in the URL. */
export function useTraceQuery(table: Table): TraceQuery {
  const [search, change] = useSearchState()
  const question = useMemo(() => questionOf(table, search), [table, search])
  const { query, range, environment, resetKey } = question
  const [asOf, refresh] = useAsOf(resetKey)
  return {
    ...question,
    asOf,
    selection: toSelection(table, query, range, environment, asOf),
    refresh,
    setQuery: (query) =>
      change({
        filter: encodeFilter(query.conditions),
        search: query.search === '' ? undefined : query.search,
      }),
    setRange: (next) => change({ dateRange: encodeRange(next) }),
  }
}
