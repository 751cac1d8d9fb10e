import { useEffect } from 'react'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import type { TableState } from '@/shared/table'
import { rowOptionsOf } from '../model/question'
import type { Selection, Table } from '../model/view'
import { firstPage, loadRows, rowsKey, type RowsPage } from './loadRows'

const laterPages = 200

/**
 * The rows of a selection, page by page. The previous rows stay until the new ones arrive. A slow search is answered in
 * parts: searchedBack tells how far it has got.
 */
export function useRows(projectId: string, table: Table, selection: Selection, state: TableState) {
  const asked = rowOptionsOf(state)
  const query = useInfiniteQuery({
    queryKey: rowsKey(projectId, table, selection, asked),
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
    getNextPageParam: (last: RowsPage) => last.cursor ?? undefined,
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
