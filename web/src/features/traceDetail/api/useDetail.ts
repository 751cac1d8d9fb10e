import { useQuery, useQueryClient } from '@tanstack/react-query'
import { projectApi, traceKey, unwrap } from '@/shared/api'

export const detailQuery = (projectId: string, traceId: string, observationId: string) => ({
  queryKey: traceKey(projectId, traceId, 'detail', observationId),
  queryFn: ({ signal }: { signal: AbortSignal }) =>
    unwrap(
      projectApi(projectId).GET('/observations/{observationId}/detail', {
        params: { path: { observationId }, query: { traceId } },
        signal,
      }),
    ),
  staleTime: 30_000,
})

/** Everything about an observation, with the beginnings of its texts. */
export function useDetail(projectId: string, traceId: string, observationId: string | undefined) {
  return useQuery({
    ...detailQuery(projectId, traceId, observationId ?? ''),
    enabled: observationId !== undefined,
  })
}

/**
 * Prefetches an observation as soon as it is selected, before the URL and the page have caught up. Only one is fetched
 * at a time, so that stepping through many does not queue requests.
 */
export function usePrefetchDetail(projectId: string, traceId: string) {
  const client = useQueryClient()
  return (observationId: string | undefined) => {
    const isAsking = client.isFetching({ queryKey: traceKey(projectId, traceId, 'detail') }) > 0
    if (observationId !== undefined && !isAsking)
      void client.prefetchQuery(detailQuery(projectId, traceId, observationId))
  }
}
