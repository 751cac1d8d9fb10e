import { useMutation, useQuery } from '@tanstack/react-query'
import { projectApi, projectKey, scopesOfTraces, unwrap, useRefresh } from '@/shared/api'

/** The session or user whose traces are meant. */
export type Entity = { sessionId: string } | { userId: string }

function deletion(
  projectId: string,
  body: Entity & { asOf?: string; dryRun: boolean },
  signal?: AbortSignal,
) {
  return unwrap(
    projectApi(projectId).POST('/deletions', {
      body,
      signal,
    }),
  )
}

/** How many traces the entity has, over all time. */
export function useTraceCountOf(projectId: string, entity: Entity, isEnabled: boolean) {
  return useQuery({
    queryKey: projectKey(projectId, 'entities', 'owned', entity),
    enabled: isEnabled,
    gcTime: 0,
    queryFn: ({ signal }) => deletion(projectId, { ...entity, dryRun: true }, signal),
  })
}

/** Deletes all traces that the entity had at a given time, and returns how many there were. */
export function useDeleteTracesOf(projectId: string) {
  const refresh = useRefresh(projectId)
  return useMutation({
    mutationFn: async ({ entity, asOf }: { entity: Entity; asOf: string }) => {
      let deleted = 0
      // The server stops after a few seconds and continues with the next request.
      for (;;) {
        const { traces, done } = await deletion(projectId, { ...entity, asOf, dryRun: false })
        deleted += traces
        if (done) return deleted
      }
    },
    onSettled: () => void refresh(...scopesOfTraces),
  })
}
