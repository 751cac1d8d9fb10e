import { useQuery } from '@tanstack/react-query'
import { projectApi, projectKey, unwrap, type PublicComponents } from '@/shared/api'

export type LatestTrace = PublicComponents['schemas']['ObservationV2']

const whileWaiting = 2_000
const afterwards = 15_000
const shown = 20

/** The newest traces, by their root observation. Polls every two seconds until there is one. */
export function useLatestTraces(projectId: string) {
  return useQuery({
    queryKey: projectKey(projectId, 'rows', 'latest'),
    queryFn: async ({ signal }) => {
      const query = {
        limit: shown,
        isRootObservation: true,
        fields: 'core,basic,model,usage,metrics,trace_context',
      }
      const answer = projectApi(projectId).GET('/v2/observations', {
        params: { query },
        signal,
      })
      return (await unwrap(answer)).data
    },
    refetchInterval: (query) => (query.state.data?.length ? afterwards : whileWaiting),
  })
}
