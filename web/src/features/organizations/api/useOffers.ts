import { useMutation, useQueryClient } from '@tanstack/react-query'
import { ui, unwrap } from '@/shared/api'
import { sessionKey } from '@/shared/currentUser'

/** Accepts or declines a membership that an organization gave to the user. */
export function useAnswerOffer() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async ({ organizationId, accept }: { organizationId: string; accept: boolean }) => {
      const params = { path: { organizationId } }
      if (accept) {
        await unwrap(ui.POST('/api/ui/account/memberships/{organizationId}/accept', { params }))
      } else {
        await unwrap(ui.DELETE('/api/ui/account/memberships/{organizationId}', { params }))
      }
    },
    onSuccess: () => client.invalidateQueries({ queryKey: sessionKey }),
  })
}
