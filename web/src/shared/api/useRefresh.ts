import { useMutation, useQueryClient } from '@tanstack/react-query'
import { projectKey, type ProjectScope, type QueryKey } from './keys'

/** Returns a function that refetches what a page shows of some scopes; the rest is refetched when it is shown again. */
export function useRefresh(projectId: string) {
  const client = useQueryClient()
  return async (...scopes: readonly ProjectScope[]): Promise<void> => {
    const keys = scopes.map((scope) => projectKey(projectId, scope))
    await Promise.all(keys.map((queryKey) => client.invalidateQueries({ queryKey })))
  }
}

/** A change after which some queries are refetched; it is finished when they have their new data. */
export function useChange<Values = void, Result = unknown>(
  changes: readonly QueryKey[],
  mutationFn: (values: Values) => Promise<Result>,
) {
  const client = useQueryClient()
  return useMutation({
    mutationFn,
    onSuccess: async () => {
      await Promise.all(changes.map((queryKey) => client.invalidateQueries({ queryKey })))
    },
  })
}
