import { MoreError } from './MoreError'

type Pages = {
  error: unknown
  isPlaceholderData: boolean
  hasNextPage: boolean
  isFetching: boolean
  isFetchingNextPage: boolean
  isFetchNextPageError: boolean
  fetchNextPage: (options?: { cancelRefetch: boolean }) => Promise<unknown>
}

/**
 * What a table is told of a list that comes page by page. After a failure, only a press asks for the next page again. While all pages
 * are asked for again the next one waits: it would be put below the old ones, which may have been deleted.
 */
export function tablePages(query: Pages) {
  const hasFailed = query.isFetchNextPageError
  return {
    isStale: query.isPlaceholderData,
    onNearEnd:
      query.hasNextPage && !query.isFetching && !query.isPlaceholderData && !hasFailed
        ? () => void query.fetchNextPage({ cancelRefetch: false })
        : undefined,
    isLoadingMore: query.isFetchingNextPage && !hasFailed,
    moreError: hasFailed && <MoreError query={query} />,
  }
}
