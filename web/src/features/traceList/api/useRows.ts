import { useEffect } from 'react'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { projectApi, projectKey, unwrap } from '@/shared/api'
import type { TableState } from '@/shared/table'
import { dynamicKeys } from '../model/columnIds'
import type { Row } from '../model/rows'
import type { Selection, Table } from '../model/view'

const orders = ['startTime', 'latency', 'totalCost', 'totalTokens'] as const
const firstPage = 50
const laterPages = 200
const mostKeys = 20

type RowOptions = { order?: Order; metadataKeys?: string[]; scores?: boolean }
type Order = { column: (typeof orders)[number]; direction: 'asc' | 'desc' }

/** What the visible columns need beyond the row itself. */
export function rowOptionsOf(state: TableState): RowOptions {
  const column = orders.find((each) => each === state.sort?.column)
  const keys = dynamicKeys('metadata', state.shown).slice(0, mostKeys)
  const hasScores = state.shown?.includes('scores') || dynamicKeys('scores', state.shown).length > 0
  return {
    ...(column !== undefined &&
      state.sort && { order: { column, direction: state.sort.direction } }),
    ...(keys.length > 0 && { metadataKeys: keys }),
    ...(hasScores && { scores: true }),
  }
}

type Page = { rows: Row[]; cursor: string | null; searchedBack: string | null }

/**
 * The rows of a selection, page by page. The previous rows stay until the new ones arrive. A slow search is answered in
 * parts: searchedBack tells how far it has got.
 */
export function useRows(projectId: string, table: Table, selection: Selection, state: TableState) {
  const asked = rowOptionsOf(state)
  const query = useInfiniteQuery({
    queryKey: projectKey(projectId, 'rows', 'list', table, selection, asked),
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) =>
      loadRows(
        projectId,
        table,
        {
          ...selection,
          ...asked,
          cursor: pageParam,
          limit: pageParam === undefined ? firstPage : laterPages,
        },
        signal,
      ),
    getNextPageParam: (last: Page) => last.cursor ?? undefined,
    placeholderData: keepPreviousData,
    staleTime: 30_000,
  })
  const pages = query.isPlaceholderData ? [] : (query.data?.pages ?? [])
  const searchedBack = pages.at(-1)?.searchedBack ?? undefined
  const isShort = pages.reduce((sum, page) => sum + page.rows.length, 0) < firstPage
  const { fetchNextPage, isFetching, isError } = query
  // A partial result of a search cannot be scrolled to its end, so the next part is requested here.
  useEffect(() => {
    if (searchedBack !== undefined && isShort && !isFetching && !isError) void fetchNextPage()
  }, [searchedBack, isShort, isFetching, isError, fetchNextPage])
  return { ...query, searchedBack }
}

/** One page of either table. */
export function loadRows(
  projectId: string,
  table: Table,
  body: Selection & RowOptions & { cursor?: string; limit: number },
  signal: AbortSignal,
): Promise<Page> {
  const options = {
    body: { ...body, scores: body.scores ?? false },
    signal,
  }
  return table === 'traces'
    ? unwrap(projectApi(projectId).POST('/query/traces', options))
    : unwrap(projectApi(projectId).POST('/query/observations', options))
}
