import { useMemo } from 'react'
import { encodeFilter } from '@/shared/lib/filter'
import { useSearchState } from '@/shared/lib/useSearchState'
import { excludeValue, includeValue, type Condition, type Query } from '@/shared/query'
import { useScope, type Scope } from '@/shared/scope'
import type { CellValue } from '@/shared/table'
import { entityQueries, type EntityTable } from './model/fields'

/** What a list of sessions or users shows, as the server takes it. */
export type EntitySelection = Partial<Scope> & {
  filter?: Condition[]
  search?: string
  conditionsOn: EntityTable
}

/** The query, time range and environments in the URL of a list of sessions or users. */
export function useEntityQuery(table: EntityTable) {
  const [{ filter = '', search = '' }, change] = useSearchState()
  const { scope, resetKey, refresh } = useScope()
  const { query, unknown } = useMemo(
    () => entityQueries[table].queryOfAddress(filter, search),
    [table, filter, search],
  )
  const selection: EntitySelection = {
    ...scope,
    ...(query.conditions.length > 0 && { filter: query.conditions }),
    ...(query.search !== '' && { search: query.search }),
    conditionsOn: table,
  }
  const setQuery = (next: Query) =>
    change({
      filter: encodeFilter(next.conditions),
      search: next.search === '' ? undefined : next.search,
    })
  return {
    query,
    /** Parts of the URL that have no meaning here. */
    unknown,
    selection,
    resetKey: resetKey + filter + search,
    refresh,
    setQuery,
    /** Puts a value of a cell into the query, or excludes it. */
    filterBy: ({ column, value }: CellValue, isExcluded: boolean) =>
      setQuery(
        (isExcluded ? excludeValue : includeValue)(query, column, value, entityQueries[table]),
      ),
  }
}
