import { LoadError } from './LoadError'
import { NextPageError } from './NextPageError'

type Pages = {
  data: unknown
  isError: boolean
  error: unknown
  isPlaceholderData: boolean
  hasNextPage: boolean
  isFetching: boolean
  isFetchingNextPage: boolean
  isFetchNextPageError: boolean
  fetchNextPage: (options?: { cancelRefetch: boolean }) => Promise<unknown>
  refetch: () => Promise<unknown>
}

/**
 * The table props for a paged list; what is its name in errors, as in "users". After a failure, the next page is
 * requested only by the user. While all pages are being refetched the next one has to wait: it would be appended to old
 * pages, whose rows may have been deleted.
 */
export function pagedTableProps(query: Pages, what: string) {
  const hasFailed = query.isFetchNextPageError
  return {
    isStale: query.isPlaceholderData,
    onNearEnd:
      query.hasNextPage && !query.isFetching && !query.isPlaceholderData && !hasFailed
        ? () => void query.fetchNextPage({ cancelRefetch: false })
        : undefined,
    isLoadingMore: query.isFetchingNextPage && !hasFailed,
    error: query.isError && query.data === undefined && (
      <LoadError title={`Couldn’t load ${what}`} query={query} />
    ),
    moreError: hasFailed && <NextPageError query={query} />,
  }
}
