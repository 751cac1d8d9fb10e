import { useQuery } from '@tanstack/react-query'
import { projectApi, unwrap } from '@/shared/api'

/** The project's annotation queues. */
export function useQueues(projectId: string) {
  return useQuery({
    queryKey: ['project', projectId, 'annotation-queue-names'],
    queryFn: async ({ signal }) => {
      const { data } = await unwrap(
        projectApi(projectId).GET('/api/public/annotation-queues', {
          params: { query: { limit: 100 } },
          signal,
        }),
      )
      return data
    },
  })
}
