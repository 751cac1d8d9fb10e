import { useQuery } from '@tanstack/react-query'
import { organizationKey, ui, unwrap, useChange, type UiComponents } from '@/shared/api'

export type Invitation = UiComponents['schemas']['Invitation']
export type NewInvitation = UiComponents['schemas']['NewInvitation']

export function useInvitations(organizationId: string) {
  return useQuery({
    queryKey: organizationKey(organizationId, 'invitations'),
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
  return useChange([organizationKey(organizationId, 'invitations')], (body: NewInvitation) =>
    unwrap(
      ui.POST('/api/ui/organizations/{organizationId}/invitations', {
        params: { path: { organizationId } },
        body,
      }),
    ),
  )
}

export function useRevokeInvitation(organizationId: string) {
  return useChange([organizationKey(organizationId, 'invitations')], (invitationId: string) =>
    unwrap(
      ui.DELETE('/api/ui/organizations/{organizationId}/invitations/{invitationId}', {
        params: { path: { organizationId, invitationId } },
      }),
    ),
  )
}
