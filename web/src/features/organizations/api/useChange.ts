import { useMutation } from '@tanstack/react-query'
import { sessionKey, ui, unwrap, useChange } from '@/shared/api'

export function useRenameOrganization(organizationId: string) {
  return useChange([sessionKey], (name: string) =>
    unwrap(
      ui.PATCH('/api/ui/organizations/{organizationId}', {
        params: { path: { organizationId } },
        body: { name },
      }),
    ),
  )
}

/**
 * Deletes an organization without projects; `confirm` is its name. The page navigates away before the session is
 * refetched.
 */
export function useDeleteOrganization(organizationId: string) {
  return useMutation({
    mutationFn: (confirm: string) =>
      unwrap(
        ui.DELETE('/api/ui/organizations/{organizationId}', {
          params: { path: { organizationId } },
          body: { confirm },
        }),
      ),
  })
}

/** Ends the membership of the user. The page navigates away before the session is refetched. */
export function useLeaveOrganization() {
  return useMutation({
    mutationFn: (organizationId: string) =>
      unwrap(
        ui.DELETE('/api/ui/account/memberships/{organizationId}', {
          params: { path: { organizationId } },
        }),
      ),
  })
}
