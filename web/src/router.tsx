import { MutationCache, QueryCache, QueryClient, type Query } from '@tanstack/react-query'
import { createRouter, type RouterHistory } from '@tanstack/react-router'
import { ApiError, sessionKey } from '@/shared/api'
import { NotFoundPage, RouteError } from '@/app'
import { traceAt } from '@/features/publicTrace'
import { sessionQuery, type Session } from '@/shared/currentUser'
import { prefetchTree } from '@/features/traceDetail'
import { keepRows, type RowsAhead } from '@/features/traceList'
import { keepDrafts, takeUpDrafts } from '@/shared/lib/drafts'
import { parseSearch, stringifySearch } from '@/shared/lib/search'
import { endSessionState, noteSession } from '@/shared/lib/sessionState'
import { basePath } from '@/shared/lib/url'
import { routeTree } from './routeTree.gen'

const retries = 2

export function createQueryClient(): QueryClient {
  // A user who was signed out elsewhere finds out at the next request: the session is refetched, and the routes
  // redirect to the sign-in page.
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
        refetchOnWindowFocus: isNoPagedList,
        refetchOnReconnect: isNoPagedList,
        retry: (count, error) => count < retries && error instanceof ApiError && error.isTemporary,
      },
    },
  })
  // What one user loaded or made is not for the next one in this tab, however the session ended.
  let userId: string | undefined
  client.getQueryCache().subscribe(({ type, query }) => {
    if (type !== 'updated' || query.queryKey[0] !== sessionKey[0]) return
    const session = query.state.data as Session | undefined
    if (!session || session.user?.id === userId) return
    if (userId !== undefined) {
      if (!session.user) keepDrafts(userId)
      noteSession(false)
      endSessionState()
      client.removeQueries({ predicate: (each) => each.queryKey[0] !== sessionKey[0] })
    }
    userId = session.user?.id
    if (userId === undefined) return
    noteSession(true)
    takeUpDrafts(userId)
  })
  return client
}

/** Pages that were loaded one by one stay as they are: newer rows above them would move what somebody reads. */
function isNoPagedList({ state }: Query): boolean {
  const { data } = state
  return !(typeof data === 'object' && data !== null && 'pageParams' in data)
}

export type AppRouter = ReturnType<typeof createAppRouter>

/** Without a history, the browser's own is used. */
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
    defaultErrorComponent: RouteError,
    defaultNotFoundComponent: () => <NotFoundPage />,
  })
}

/**
 * Starts loading everything that the URL needs in parallel: the session, the trace if it is one, and the code of the
 * pages. Otherwise each would wait for the previous one. The rows of a table have been requested already.
 */
export function prefetchPage(
  queryClient: QueryClient,
  router: AppRouter,
  rowsAhead: RowsAhead | undefined,
): void {
  const { latestLocation } = router
  void queryClient.prefetchQuery(sessionQuery)
  const trace = traceAt(latestLocation.pathname)
  if (trace) prefetchTree(queryClient, trace.projectId, trace.traceId)
  if (rowsAhead) keepRows(queryClient, rowsAhead)
  const [routes] = router.getMatchedRoutes(latestLocation.pathname)
  for (const route of routes) void router.loadRouteChunk(route)
}

declare module '@tanstack/react-router' {
  interface Register {
    router: AppRouter
  }
}
