import { ErrorLine } from './ErrorLine'

type MoreErrorProps = {
  query: { error: unknown; isFetchingNextPage: boolean; fetchNextPage: () => Promise<unknown> }
}

/** Shown at the end of a list whose next page could not be loaded. */
export function NextPageError({ query }: MoreErrorProps) {
  return (
    <ErrorLine
      title="Couldn’t load more"
      error={query.error}
      isPending={query.isFetchingNextPage}
      onRetry={() => void query.fetchNextPage()}
    />
  )
}
