import { useMutation, useQueryClient } from '@tanstack/react-query'
import { toSession, type Session } from '@/shared/currentUser'
import { sessionKey } from '@/shared/api'

/** A request that signs somebody in: everything loaded before may belong to somebody else and is dropped. */
export function useSessionChange<V, R>(
  send: (values: V) => Promise<R>,
  sessionOf: (result: R) => Session,
) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: send,
    onSuccess: (result) => {
      client.removeQueries({ predicate: (query) => query.queryKey[0] !== sessionKey[0] })
      client.setQueryData(sessionKey, toSession(sessionOf(result)))
    },
  })
}
