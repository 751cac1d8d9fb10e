import { useMutation, useQueryClient } from '@tanstack/react-query'
import { projectApi, unwrap } from '@/shared/api'
import type { NewScore } from '../model/scoring'

/** Adds a score, or replaces the one with the same id. */
export function usePutScore(projectId: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: NewScore) =>
      unwrap(projectApi(projectId).POST('/api/public/scores', { body })),
    // Scores appear in lists, traces, sessions and charts.
    onSuccess: () => client.invalidateQueries({ queryKey: ['project', projectId] }),
  })
}

/** Deletes scores one after another. */
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
    // Some may have been deleted before one failed.
    onSettled: () => client.invalidateQueries({ queryKey: ['project', projectId] }),
  })
}
