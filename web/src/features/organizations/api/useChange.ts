import { useMutation, useQueryClient } from '@tanstack/react-query'
import { ui, unwrap } from '@/shared/api'
import { sessionKey } from '@/shared/currentUser'

export function useRenameOrganization(organizationId: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (name: string) =>
      unwrap(
        ui.PATCH('/api/ui/organizations/{organizationId}', {
          params: { path: { organizationId } },
          body: { name },
        }),
      ),
    onSuccess: () => client.invalidateQueries({ queryKey: sessionKey }),
  })
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
