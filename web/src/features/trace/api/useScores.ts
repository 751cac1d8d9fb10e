import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { projectApi, unwrap, type PublicComponents } from '@/api'
import { traceKey } from './useTree'

export type Score = PublicComponents['schemas']['ScoreV3']
export type NewScore = PublicComponents['schemas']['NewScore']

const most = 1000
const scoresKey = (projectId: string, traceId: string) => [
  ...traceKey(projectId, traceId),
  'scores',
]

/** The scores of a trace and of its observations, newest first; at most so many. */
export function useScores(projectId: string, traceId: string) {
  return useQuery({
    queryKey: scoresKey(projectId, traceId),
    queryFn: async ({ signal }) => {
      const all: Score[] = []
      let cursor: string | undefined
      do {
        const page = await unwrap(
          projectApi(projectId).GET('/api/public/v3/scores', {
            params: {
              query: { traceId, limit: 100, cursor, fields: 'details,subject,annotation' },
            },
            signal,
          }),
        )
        all.push(...page.data)
        cursor = page.meta.cursor
      } while (cursor !== undefined && all.length < most)
      return { scores: all, isWhole: cursor === undefined }
    },
  })
}

/** Adds a score, or changes the one of its id. */
export function usePutScore(projectId: string, traceId: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: NewScore) =>
      unwrap(projectApi(projectId).POST('/api/public/scores', { body })),
    onSuccess: () => client.invalidateQueries({ queryKey: traceKey(projectId, traceId) }),
  })
}

export function useDeleteScore(projectId: string, traceId: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (scoreId: string) =>
      unwrap(
        projectApi(projectId).DELETE('/api/public/scores/{scoreId}', {
          params: { path: { scoreId } },
        }),
      ),
    onSuccess: () => client.invalidateQueries({ queryKey: traceKey(projectId, traceId) }),
  })
}
