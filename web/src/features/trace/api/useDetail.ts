import { useQuery } from '@tanstack/react-query'
import { ui, unwrap } from '@/api'
import { traceKey } from './useTree'

export const detailQuery = (projectId: string, traceId: string, observationId: string) => ({
  queryKey: [...traceKey(projectId, traceId), 'detail', observationId],
  queryFn: ({ signal }: { signal: AbortSignal }) =>
    unwrap(
      ui.GET('/api/ui/projects/{projectId}/observations/{observationId}/detail', {
        params: { path: { projectId, observationId }, query: { traceId } },
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
