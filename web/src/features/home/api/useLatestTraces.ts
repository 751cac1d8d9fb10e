import { useQuery } from '@tanstack/react-query'
import { projectApi, projectKey, unwrap, type UiComponents } from '@/shared/api'

export type LatestTrace = UiComponents['schemas']['TraceRow']

/** How often a project without traces is asked for its first one. */
export const whileWaiting = 1_500
const afterwards = 15_000
const shown = 20

/** The newest traces, as the table of traces has them: also those whose root has not arrived yet. Polls often until there is one. */
export function useLatestTraces(projectId: string) {
  return useQuery({
    queryKey: projectKey(projectId, 'rows', 'latest'),
    queryFn: async ({ signal }) => {
      const body = { limit: shown, scores: false }
      return (await unwrap(projectApi(projectId).POST('/query/traces', { body, signal }))).rows
    },
    refetchInterval: (query) => (query.state.data?.length ? afterwards : whileWaiting),
  })
}
