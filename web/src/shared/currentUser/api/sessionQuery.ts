import { queryOptions } from '@tanstack/react-query'
import { sessionKey, ui, unwrap } from '@/shared/api'
import { toSession } from '../model/session'

/** Who is signed in and what they may see. Signing in and out replace it. */
export const sessionQuery = queryOptions({
  queryKey: sessionKey,
  queryFn: async ({ signal }) =>
    toSession(await unwrap(ui.GET('/api/ui/auth/session', { signal }))),
  staleTime: 60_000,
})
