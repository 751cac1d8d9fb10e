import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { ui, unwrap } from '@/shared/api'
import { traceKey } from './useTree'

/** Searches for a text in a trace. The server searches all texts. */
export function useFind(projectId: string, traceId: string, text: string | undefined) {
  return useQuery({
    queryKey: [...traceKey(projectId, traceId), 'find', text],
    queryFn: ({ signal }) =>
      unwrap(
        ui.GET('/api/ui/projects/{projectId}/traces/{traceId}/find', {
          params: { path: { projectId, traceId }, query: { q: text ?? '' } },
          signal,
        }),
      ),
    enabled: text !== undefined && text.trim() !== '',
    placeholderData: keepPreviousData,
    staleTime: 30_000,
  })
}
