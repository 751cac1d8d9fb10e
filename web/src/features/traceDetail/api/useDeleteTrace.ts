import { useMutation } from '@tanstack/react-query'
import { projectApi, scopesOfTraces, unwrap, useRefresh } from '@/shared/api'

export function useDeleteTrace(projectId: string) {
  const refresh = useRefresh(projectId)
  return useMutation({
    mutationFn: (traceId: string) =>
      unwrap(
        projectApi(projectId).DELETE('/traces/{traceId}', {
          params: { path: { traceId } },
        }),
      ),
    // Lists must no longer show it. Its own page is about to be left and has nothing to ask for.
    onSuccess: () => void refresh(...scopesOfTraces.filter((scope) => scope !== 'trace')),
  })
}
