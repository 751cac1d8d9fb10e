import { ApiError, messageOf } from '@/api'
import { ErrorState } from '@/ui'

/** Replaces a page when something in it throws. The rest of the shell stays. */
export function ErrorPage({ error, reset }: { error: unknown; reset?: () => void }) {
  const title =
    error instanceof ApiError
      ? error.status === 403
        ? 'You may not see this'
        : error.status === 404
          ? 'This does not exist, or you may not see it'
          : 'This could not be loaded'
      : 'Something went wrong on this page'
  return <ErrorState title={title} message={messageOf(error)} onRetry={reset} />
}
