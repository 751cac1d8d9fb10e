import { useMutation, useQueryClient } from '@tanstack/react-query'
import { projectApi, unwrap } from '@/shared/api'

export function useDeleteTrace(projectId: string, traceId: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () =>
      unwrap(
        projectApi(projectId).DELETE('/api/public/traces/{traceId}', {
          params: { path: { traceId } },
        }),
      ),
    // Lists must no longer show it.
    onSuccess: () => client.invalidateQueries({ queryKey: ['project', projectId] }),
  })
}
