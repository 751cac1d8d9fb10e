import { useInfiniteQuery } from '@tanstack/react-query'
import { ui, unwrap, type UiComponents } from '@/shared/api'
import { traceKey } from './useTree'

export type LogRow = UiComponents['schemas']['ObservationRow']

/** The observations of a trace by start time, with the beginnings of their texts. */
export function useLog(projectId: string, traceId: string, isEnabled = true) {
  return useInfiniteQuery({
    enabled: isEnabled,
    queryKey: [...traceKey(projectId, traceId), 'log'],
    initialPageParam: '',
    queryFn: ({ pageParam, signal }) =>
      unwrap(
        ui.POST('/api/ui/projects/{projectId}/query/observations', {
          params: { path: { projectId } },
          body: {
            filter: [{ type: 'string', column: 'traceId', operator: '=', value: traceId }],
            order: { column: 'startTime', direction: 'asc' },
            limit: 200,
            scores: false,
            cursor: pageParam === '' ? null : pageParam,
          },
          signal,
        }),
      ),
    getNextPageParam: (page) => page.cursor ?? undefined,
    staleTime: 30_000,
  })
}
