import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { ui, unwrap } from '@/shared/api'

/** The session or user whose traces are meant. */
export type Owner = { sessionId: string } | { userId: string }

function deletion(
  projectId: string,
  body: Owner & { asOf?: string; dryRun: boolean },
  signal?: AbortSignal,
) {
  return unwrap(
    ui.POST('/api/ui/projects/{projectId}/deletions', {
      params: { path: { projectId } },
      body,
      signal,
    }),
  )
}

/** How many traces the owner has, over all time. */
export function useOwned(projectId: string, owner: Owner, isEnabled: boolean) {
  return useQuery({
    queryKey: ['project', projectId, 'owned', owner],
    enabled: isEnabled,
    gcTime: 0,
    queryFn: ({ signal }) => deletion(projectId, { ...owner, dryRun: true }, signal),
  })
}

/** Deletes all traces that the owner had at a given time, and returns how many there were. */
export function useDeleteOwned(projectId: string) {
  const client = useQueryClient()
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
    onSettled: () => client.invalidateQueries({ queryKey: ['project', projectId] }),
  })
}
