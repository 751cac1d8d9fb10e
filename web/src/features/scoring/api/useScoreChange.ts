import { useMutation, useQueryClient } from '@tanstack/react-query'
import { projectApi, unwrap } from '@/api'
import type { NewScore } from '../model/scoring'

/** Adds a score, or changes the one of its id. */
export function usePutScore(projectId: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: NewScore) =>
      unwrap(projectApi(projectId).POST('/api/public/scores', { body })),
    // Scores stand in lists, traces, sessions and charts.
    onSuccess: () => client.invalidateQueries({ queryKey: ['project', projectId] }),
  })
}

/** Deletes scores, one after the other. */
export function useDeleteScores(projectId: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (ids: readonly string[]) => {
      for (const scoreId of ids)
        await unwrap(
          projectApi(projectId).DELETE('/api/public/scores/{scoreId}', {
            params: { path: { scoreId } },
          }),
        )
    },
    // Some may be gone although one could not be deleted.
    onSettled: () => client.invalidateQueries({ queryKey: ['project', projectId] }),
  })
}
