import { MoreError } from './MoreError'

type Pages = {
  error: unknown
  isPlaceholderData: boolean
  hasNextPage: boolean
  isFetchingNextPage: boolean
  isFetchNextPageError: boolean
  fetchNextPage: () => Promise<unknown>
}

/** What a table is told of a list that comes page by page. After a failure, only a press asks for the next page again. */
export function tablePages(query: Pages) {
  const hasFailed = query.isFetchNextPageError
  return {
    isStale: query.isPlaceholderData,
    onNearEnd:
      query.hasNextPage && !query.isFetchingNextPage && !query.isPlaceholderData && !hasFailed
        ? () => void query.fetchNextPage()
        : undefined,
    isLoadingMore: query.isFetchingNextPage && !hasFailed,
    moreError: hasFailed && <MoreError query={query} />,
  }
}
