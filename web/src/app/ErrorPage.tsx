import { useQueryErrorResetBoundary } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { ApiError, messageOf } from '@/shared/api'
import { ErrorState, MissingCode } from '@/shared/ui'

/** Replaces a page that failed to load or to render. *Try again* loads it again, and then renders it. */
export function RouteError({ error, reset }: { error: unknown; reset: () => void }) {
  const router = useRouter()
  const queries = useQueryErrorResetBoundary()
  const retry = async () => {
    queries.reset()
    await router.invalidate()
    reset()
  }
  return <ErrorPage error={error} reset={() => void retry()} />
}

/** Replaces a page when something in it throws. The rest of the shell stays. */
export function ErrorPage({ error, reset }: { error: unknown; reset?: () => void }) {
  if (isMissingCode(error)) return <MissingCode />
  const title =
    error instanceof ApiError
      ? error.status === 403
        ? 'You do not have access to this'
        : error.status === 404
          ? 'This does not exist, or you do not have access to it'
          : 'Couldn’t load this'
      : 'Something went wrong on this page'
  return <ErrorState title={title} message={messageOf(error)} onRetry={reset} />
}

/** Reports whether a lazy import failed, going by the messages of Chromium, Firefox, Safari and Vite. */
function isMissingCode(error: unknown): boolean {
  return (
    error instanceof Error &&
    /dynamically imported module|importing a module script failed|unable to preload/i.test(
      error.message,
    )
  )
}
