import { sessionKey, ui, unwrap, useChange } from '@/shared/api'

/** Both hooks refetch the session, so that the page of the new object can be opened immediately. */
export function useCreateOrganization() {
  return useChange([sessionKey], (name: string) =>
    unwrap(ui.POST('/api/ui/organizations', { body: { name } })),
  )
}

export function useCreateProject(organizationId: string) {
  return useChange([sessionKey], (name: string) =>
    unwrap(
      ui.POST('/api/ui/organizations/{organizationId}/projects', {
        params: { path: { organizationId } },
        body: { name },
      }),
    ),
  )
}
