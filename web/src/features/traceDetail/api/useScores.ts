import { useQuery } from '@tanstack/react-query'
import { projectApi, traceKey, unwrap } from '@/shared/api'
import type { Score } from '@/shared/scoring'

const maxScores = 1000

/** The scores of a trace and of its observations, newest first; stops after `maxScores`. */
export function useScores(projectId: string, traceId: string) {
  return useQuery({
    queryKey: traceKey(projectId, traceId, 'scores'),
    queryFn: async ({ signal }) => {
      const all: Score[] = []
      let cursor: string | undefined
      do {
        const page = await unwrap(
          projectApi(projectId).GET('/v3/scores', {
            params: {
              query: { traceId, limit: 100, cursor, fields: 'details,subject,annotation' },
            },
            signal,
          }),
        )
        all.push(...page.data)
        cursor = page.meta.cursor
      } while (cursor !== undefined && all.length < maxScores)
      return { scores: all, isWhole: cursor === undefined }
    },
  })
}
