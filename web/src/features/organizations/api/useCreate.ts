import { useMutation, useQueryClient } from '@tanstack/react-query'
import { ui, unwrap } from '@/shared/api'
import { sessionKey } from '@/shared/currentUser'

/** Both hooks refetch the session, so that the page of the new object can be opened immediately. */
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
