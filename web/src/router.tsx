import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { createRouter, type RouterHistory } from '@tanstack/react-router'
import { ApiError } from '@/api'
import { ErrorPage, NotFoundPage } from '@/app'
import { sessionKey } from '@/features/session'
import { parseSearch, stringifySearch } from '@/lib/search'
import { basePath } from '@/lib/url'
import { routeTree } from './routeTree.gen'

const retries = 2

export function createQueryClient(): QueryClient {
  // Somebody who was signed out elsewhere learns it at the next request: the session is asked for again, and the
  // routes lead to the sign-in page.
  const onError = (error: unknown) => {
    if (error instanceof ApiError && error.status === 401)
      void client.invalidateQueries({ queryKey: sessionKey })
  }
  const client: QueryClient = new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      queries: {
        staleTime: 5_000,
        retry: (count, error) => count < retries && error instanceof ApiError && error.isTemporary,
      },
    },
  })
  return client
}

export type AppRouter = ReturnType<typeof createAppRouter>

/** Without a history, the addresses are those of the browser. */
export function createAppRouter(queryClient: QueryClient, history?: RouterHistory) {
  return createRouter({
    routeTree,
    history,
    basepath: basePath === '' ? '/' : basePath,
    context: { queryClient },
    parseSearch,
    stringifySearch,
    defaultPreload: 'intent',
    defaultPreloadStaleTime: 0,
    defaultPendingMs: 300,
    scrollRestoration: true,
    defaultErrorComponent: ({ error, reset }) => <ErrorPage error={error} reset={reset} />,
    defaultNotFoundComponent: () => <NotFoundPage />,
  })
}

declare module '@tanstack/react-router' {
  interface Register {
    router: AppRouter
  }
}
