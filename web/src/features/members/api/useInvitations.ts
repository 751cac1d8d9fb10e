import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { ui, unwrap, type UiComponents } from '@/shared/api'

export type Invitation = UiComponents['schemas']['Invitation']
export type NewInvitation = UiComponents['schemas']['NewInvitation']

const invitationsKey = (organizationId: string) => ['organization', organizationId, 'invitations']

export function useInvitations(organizationId: string) {
  return useQuery({
    queryKey: invitationsKey(organizationId),
    queryFn: async ({ signal }) => {
      const answer = ui.GET('/api/ui/organizations/{organizationId}/invitations', {
        params: { path: { organizationId } },
        signal,
      })
      return (await unwrap(answer)).invitations
    },
  })
}

/** The response contains the link, which is never shown again. */
export function useInvite(organizationId: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: NewInvitation) =>
      unwrap(
        ui.POST('/api/ui/organizations/{organizationId}/invitations', {
          params: { path: { organizationId } },
          body,
        }),
      ),
    onSuccess: () => client.invalidateQueries({ queryKey: invitationsKey(organizationId) }),
  })
}

export function useRevokeInvitation(organizationId: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (invitationId: string) =>
      unwrap(
        ui.DELETE('/api/ui/organizations/{organizationId}/invitations/{invitationId}', {
          params: { path: { organizationId, invitationId } },
        }),
      ),
    onSuccess: () => client.invalidateQueries({ queryKey: invitationsKey(organizationId) }),
  })
}
