import { useQuery } from '@tanstack/react-query'
import { projectApi, traceKey, unwrap } from '@/shared/api'
import { isAbout, type ScoreSubject } from '../model/score'

/** The newest correction of an observation's output or, without an observation, of the trace's. */
export function useCorrection(
  projectId: string,
  { traceId, observationId }: ScoreSubject,
  isEnabled: boolean,
) {
  return useQuery({
    queryKey: traceKey(projectId, traceId, 'corrections', observationId),
    queryFn: async ({ signal }) => {
      const page = await unwrap(
        projectApi(projectId).GET('/v3/scores', {
          params: {
            query: {
              traceId,
              observationId,
              dataType: 'CORRECTION',
              limit: 100,
              fields: 'details,subject,annotation',
            },
          },
          signal,
        }),
      )
      return page.data.find((score) => isAbout(score, { traceId, observationId })) ?? null
    },
    enabled: isEnabled,
  })
}
