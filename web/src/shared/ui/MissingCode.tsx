import { ErrorState } from './ErrorState'

/** Replaces what needs code that did not arrive. Failed code stays failed until the page is loaded again. */
export function MissingCode() {
  return (
    <ErrorState
      title="Couldn’t load part of this page"
      message="The connection was lost, or the server has been updated since you opened this page."
      onRetry={() => window.location.reload()}
      retryLabel="Reload"
    />
  )
}
