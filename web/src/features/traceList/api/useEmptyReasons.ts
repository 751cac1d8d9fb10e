import { useQuery } from '@tanstack/react-query'
import { whileWaiting } from '@/features/home'
import type { Query } from '../model/query'
import type { Selection, Table } from '../model/view'
import { loadCount } from './useCount'
import { loadRows } from './loadRows'
import { projectKey } from '@/shared/api'

const maxParts = 6

/** How many rows there would be without one part of the query. */
export type RelaxedCount = {
  without: number | 'search' | 'environment'
  count: number
  exact: boolean
}

/** Why a selection has no rows: the counts without each of its parts, and the newest row at any time. */
export function useEmptyReasons(
  projectId: string,
  table: Table,
  query: Query,
  selection: Selection,
) {
  return useQuery({
    queryKey: projectKey(projectId, 'rows', 'emptyReasons', table, selection),
    queryFn: async ({ signal }) => {
      const { from: _from, to: _to, ...always } = selection
      const newest = (body: Selection) =>
        loadRows(projectId, table, { ...body, limit: 1 }, signal).then(({ rows }) => rows[0])
      const without = variants(query, selection).slice(0, maxParts)
      const [matching, any, counts] = await Promise.all([
        newest(always),
        newest({}),
        Promise.all(
          without.map(async (each): Promise<RelaxedCount> => {
            const { count, exact } = await loadCount(projectId, table, each.selection, signal)
            return { without: each.without, count, exact }
          }),
        ),
      ])
      return {
        /** The newest row that meets the conditions, at any time. */
        matching: matching?.startTime,
        /** The newest row of the project. */
        any: any?.startTime,
        counts: counts.filter(({ count }) => count > 0).sort((a, b) => b.count - a.count),
      }
    },
    // As on the start page: the first trace is seen without a reload.
    refetchInterval: ({ state }) =>
      state.data && state.data.any === undefined ? whileWaiting : false,
  })
}

function variants(query: Query, selection: Selection) {
  const { conditions, search } = query
  const found: { without: RelaxedCount['without']; selection: Selection }[] = conditions.map(
    (_, index) => ({
      without: index,
      selection: { ...selection, filter: conditions.filter((_, at) => at !== index) },
    }),
  )
  if (search !== '')
    found.push({ without: 'search', selection: { ...selection, search: undefined } })
  if (selection.environment)
    found.push({ without: 'environment', selection: { ...selection, environment: undefined } })
  return found
}
