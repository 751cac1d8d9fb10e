import { useMutation } from '@tanstack/react-query'
import { projectApi, scopesOfScores, unwrap, useRefresh } from '@/shared/api'
import type { NewScore } from '../model/scoring'

/** Adds a score, or replaces the one with the same id. */
export function usePutScore(projectId: string) {
  const refresh = useRefresh(projectId)
  return useMutation({
    mutationFn: (body: NewScore) => unwrap(projectApi(projectId).POST('/scores', { body })),
    // Nobody has to wait for the pages that show scores.
    onSuccess: () => void refresh(...scopesOfScores),
  })
}

/** Deletes scores one after another. */
export function useDeleteScores(projectId: string) {
  const refresh = useRefresh(projectId)
  return useMutation({
    mutationFn: async (ids: readonly string[]) => {
      for (const scoreId of ids)
        await unwrap(
          projectApi(projectId).DELETE('/scores/{scoreId}', {
            params: { path: { scoreId } },
          }),
        )
    },
    // Some may have been deleted before one failed.
    onSettled: () => void refresh(...scopesOfScores),
  })
}
