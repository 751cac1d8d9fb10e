import { useInfiniteQuery } from '@tanstack/react-query'
import { projectApi, traceKey, unwrap, type UiComponents } from '@/shared/api'

export type LogRow = UiComponents['schemas']['ObservationRow']

/** The observations of a trace by start time, with the beginnings of their texts. */
export function useLog(projectId: string, traceId: string, isEnabled = true) {
  return useInfiniteQuery({
    enabled: isEnabled,
    queryKey: traceKey(projectId, traceId, 'log'),
    initialPageParam: '',
    queryFn: ({ pageParam, signal }) =>
      unwrap(
        projectApi(projectId).POST('/query/observations', {
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
