import { useMutation, useQuery } from '@tanstack/react-query'
import { projectApi, projectKey, scopesOfTraces, unwrap, useRefresh } from '@/shared/api'

/** The session or user whose traces are meant. */
export type Owner = { sessionId: string } | { userId: string }

function deletion(
  projectId: string,
  body: Owner & { asOf?: string; dryRun: boolean },
  signal?: AbortSignal,
) {
  return unwrap(
    projectApi(projectId).POST('/deletions', {
      body,
      signal,
    }),
  )
}

/** How many traces the owner has, over all time. */
export function useOwned(projectId: string, owner: Owner, isEnabled: boolean) {
  return useQuery({
    queryKey: projectKey(projectId, 'entities', 'owned', owner),
    enabled: isEnabled,
    gcTime: 0,
    queryFn: ({ signal }) => deletion(projectId, { ...owner, dryRun: true }, signal),
  })
}

/** Deletes all traces that the owner had at a given time, and returns how many there were. */
export function useDeleteOwned(projectId: string) {
  const refresh = useRefresh(projectId)
  return useMutation({
    mutationFn: async ({ owner, asOf }: { owner: Owner; asOf: string }) => {
      let deleted = 0
      // The server stops after a few seconds and continues with the next request.
      for (;;) {
        const { traces, done } = await deletion(projectId, { ...owner, asOf, dryRun: false })
        deleted += traces
        if (done) return deleted
      }
    },
    onSettled: () => void refresh(...scopesOfTraces),
  })
}
