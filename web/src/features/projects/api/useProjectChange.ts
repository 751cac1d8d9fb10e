import { useMutation } from '@tanstack/react-query'
import { sessionKey, ui, unwrap, useChange } from '@/shared/api'

export function useUpdateProject(projectId: string) {
  return useChange(
    [sessionKey],
    (body: { name?: string; retentionDays?: number; maxDataBytes?: number }) =>
      unwrap(ui.PATCH('/api/ui/projects/{projectId}', { params: { path: { projectId } }, body })),
  )
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
