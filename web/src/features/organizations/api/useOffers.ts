import { sessionKey, ui, unwrap, useChange } from '@/shared/api'

/** Accepts or declines a membership that an organization gave to the user. */
export function useAnswerOffer() {
  return useChange(
    [sessionKey],
    async ({ organizationId, accept }: { organizationId: string; accept: boolean }) => {
      const params = { path: { organizationId } }
      if (accept) {
        await unwrap(ui.POST('/api/ui/account/memberships/{organizationId}/accept', { params }))
      } else {
        await unwrap(ui.DELETE('/api/ui/account/memberships/{organizationId}', { params }))
      }
    },
  )
}
