import { useMutation, useQueryClient } from '@tanstack/react-query'
import { ui, unwrap } from '@/api'
import { sessionKey } from '@/features/session'

/** Both end with a session that has the new thing in it, so that its page can be opened at once. */
export function useCreateOrganization() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (name: string) => unwrap(ui.POST('/api/ui/organizations', { body: { name } })),
    onSuccess: () => client.invalidateQueries({ queryKey: sessionKey }),
  })
}

export function useCreateProject(organizationId: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (name: string) =>
      unwrap(
        ui.POST('/api/ui/organizations/{organizationId}/projects', {
          params: { path: { organizationId } },
          body: { name },
        }),
      ),
    onSuccess: () => client.invalidateQueries({ queryKey: sessionKey }),
  })
}
