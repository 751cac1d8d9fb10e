import { queryOptions } from '@tanstack/react-query'
import { sessionKey, ui, unwrap } from '@/shared/api'
import { toSession } from '../model/session'

/** Who is signed in and what they may see. Signing in and out replace it. */
export const sessionQuery = queryOptions({
  queryKey: sessionKey,
  // Without any header of ours: the page announces this request, and browsers take only the same for it.
  queryFn: async ({ signal }) =>
    toSession(
      await unwrap(ui.GET('/api/ui/auth/session', { signal, headers: { 'X-Almanac-CSRF': null } })),
    ),
  staleTime: 60_000,
})
