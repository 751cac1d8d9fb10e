import { useMutation, useQueryClient } from '@tanstack/react-query'
import { projectApi, traceKey, unwrap, useRefresh, type UiComponents } from '@/shared/api'

export type TraceChange = UiComponents['schemas']['ChangeMarks']

/** Publishes, bookmarks or tags a trace. */
export function useUpdateTrace(projectId: string, traceId: string) {
  const client = useQueryClient()
  const refresh = useRefresh(projectId)
  return useMutation({
    mutationFn: (body: TraceChange) =>
      unwrap(
        projectApi(projectId).PATCH('/traces/{traceId}/marks', {
          params: { path: { traceId } },
          body,
        }),
      ),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: traceKey(projectId, traceId) })
      // Lists, counts and facets show it as well; other traces do not. Nothing has to wait for them.
      void refresh('rows', 'entities', 'metrics')
    },
  })
}
