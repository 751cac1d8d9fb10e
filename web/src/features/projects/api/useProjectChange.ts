import { useMutation, useQueryClient } from '@tanstack/react-query'
import { ui, unwrap } from '@/shared/api'
import { sessionKey } from '@/shared/currentUser'

export function useUpdateProject(projectId: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: { name?: string; retentionDays?: number; maxDataBytes?: number }) =>
      unwrap(ui.PATCH('/api/ui/projects/{projectId}', { params: { path: { projectId } }, body })),
    onSuccess: () => client.invalidateQueries({ queryKey: sessionKey }),
  })
}

/**
 * Deletes a project with all its data; `confirm` is its name. The page navigates away before the session is refetched.
 */
export function useDeleteProject(projectId: string) {
  return useMutation({
    mutationFn: (confirm: string) =>
      unwrap(
        ui.DELETE('/api/ui/projects/{projectId}', {
          params: { path: { projectId } },
          body: { confirm },
        }),
      ),
  })
}
