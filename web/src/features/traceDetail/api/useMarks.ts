import { useMutation, useQueryClient } from '@tanstack/react-query'
import { ui, unwrap, type UiComponents } from '@/shared/api'
import { traceKey } from './useTree'

export type MarkChange = UiComponents['schemas']['ChangeMarks']

/** Publishes, bookmarks or tags a trace. */
export function useMark(projectId: string, traceId: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: MarkChange) =>
      unwrap(
        ui.PATCH('/api/ui/projects/{projectId}/traces/{traceId}/marks', {
          params: { path: { projectId, traceId } },
          body,
        }),
      ),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: traceKey(projectId, traceId) })
      // Lists, counts and facets show it as well; other traces do not. Nothing has to wait for them.
      void client.invalidateQueries({
        queryKey: ['project', projectId],
        predicate: ({ queryKey }) => queryKey[2] !== 'trace',
      })
    },
  })
}
