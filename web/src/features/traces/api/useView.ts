import { useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { useTimeRange, useViewSearch } from '@/features/view'
import { encodeRange, type TimeRange } from '@/lib/timeRange'
import { useNow } from '@/ui'
import { encodeFilter, queryOfAddress, type Query } from '../model/query'
import type { TracesSearch } from '../search'
import { toList, toSelection, type Selection } from '../model/view'

export type View = {
  query: Query
  /** Parts of the address that say nothing here. */
  unknown: string[]
  range: TimeRange
  environment: string[]
  selection: Selection
  /** The moment up to which the view looks. */
  asOf: Date
  refresh: () => void
  setQuery: (query: Query) => void
  setRange: (range: TimeRange) => void
}

/** What the address asks for. The moment stays the same until something changes, so that all parts of the page agree. */
export function useView(): View {
  const search: TracesSearch = useSearch({ strict: false })
  const range = useTimeRange()
  const [{ environment: chosen }, changeView] = useViewSearch()
  const navigate = useNavigate()
  const environment = toList(chosen)

  const key = JSON.stringify([search.filter, search.search, encodeRange(range), environment])
  const now = useNow().getTime()
  const [moment, setMoment] = useState({ key, at: now })
  if (moment.key !== key) setMoment({ key, at: now })

  const parts = useMemo(
    () => queryOfAddress(search.filter ?? '', search.search ?? ''),
    [search.filter, search.search],
  )
  const asOf = new Date(moment.at)
  return {
    ...parts,
    range,
    environment,
    asOf,
    selection: toSelection(parts.query, range, environment, asOf),
    refresh: () => setMoment({ key, at: Date.now() }),
    setQuery: (query) =>
      void navigate({
        to: '.',
        search: (before: object) => ({
          ...before,
          filter: encodeFilter(query.conditions),
          search: query.search === '' ? undefined : query.search,
        }),
        hash: true,
        resetScroll: false,
      }),
    setRange: (next) => changeView({ dateRange: encodeRange(next) }),
  }
}
