import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { projectApi, traceKey, unwrap } from '@/shared/api'

/** Searches for a text in a trace. The server searches all texts. */
export function useFind(projectId: string, traceId: string, text: string | undefined) {
  return useQuery({
    queryKey: traceKey(projectId, traceId, 'find', text),
    queryFn: ({ signal }) =>
      unwrap(
        projectApi(projectId).GET('/traces/{traceId}/find', {
          params: { path: { traceId }, query: { q: text ?? '' } },
          signal,
        }),
      ),
    enabled: text !== undefined && text.trim() !== '',
    placeholderData: keepPreviousData,
    staleTime: 30_000,
  })
}
