import { useInfiniteQuery } from '@tanstack/react-query'
import { projectApi, projectKey, unwrap } from '@/shared/api'

const pageSize = 50

/** The experiments on a dataset, the newest first. */
export function useRuns(projectId: string, datasetId: string) {
  return useInfiniteQuery({
    queryKey: projectKey(projectId, 'datasets', 'runs', datasetId),
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) =>
      unwrap(
        projectApi(projectId).GET('/experiments', {
          params: {
            query: { datasetId, limit: pageSize, ...(pageParam && { cursor: pageParam }) },
          },
          signal,
        }),
      ),
    getNextPageParam: (last) => last.meta.cursor ?? undefined,
  })
}
