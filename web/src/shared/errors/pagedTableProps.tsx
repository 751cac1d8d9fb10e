import { NextPageError } from './NextPageError'

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
 * The table props for a paged list. After a failure, the next page is requested only by the user. While all pages are
 * being refetched the next one has to wait: it would be appended to old pages, whose rows may have been deleted.
 */
export function pagedTableProps(query: Pages) {
  const hasFailed = query.isFetchNextPageError
  return {
    isStale: query.isPlaceholderData,
    onNearEnd:
      query.hasNextPage && !query.isFetching && !query.isPlaceholderData && !hasFailed
        ? () => void query.fetchNextPage({ cancelRefetch: false })
        : undefined,
    isLoadingMore: query.isFetchingNextPage && !hasFailed,
    moreError: hasFailed && <NextPageError query={query} />,
  }
}
