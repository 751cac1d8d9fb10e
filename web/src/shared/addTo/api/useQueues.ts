import { useQuery } from '@tanstack/react-query'
import { projectApi, projectKey, unwrap } from '@/shared/api'

/** The project's annotation queues. */
export function useQueues(projectId: string) {
  return useQuery({
    queryKey: projectKey(projectId, 'queues'),
    queryFn: async ({ signal }) => {
      const { data } = await unwrap(
        projectApi(projectId).GET('/annotation-queues', {
          params: { query: { limit: 100 } },
          signal,
        }),
      )
      return data
    },
  })
}
