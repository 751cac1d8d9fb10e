import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { sessionKey, ui, unwrap } from '@/shared/api'
import { forgetDrafts } from '@/shared/lib/drafts'
import { forgetTabState } from '@/shared/lib/tabState'
import { leaveSession } from '@/shared/lib/sessionState'

/**
 * Ends the session and goes to the sign-in page, by way of the identity
 * provider's sign-out if it has one.
 */
export function useSignOut() {
  const client = useQueryClient()
  const navigate = useNavigate()
  return useMutation({
    mutationFn: () => unwrap(ui.POST('/api/ui/auth/sign-out')),
    onSuccess: async (answer) => {
      forgetDrafts()
      forgetTabState()
      leaveSession()
      if (answer?.redirectTo) {
        window.location.assign(answer.redirectTo)
        return
      }
      // Everything else that was loaded goes with the session.
      await client.invalidateQueries({ queryKey: sessionKey })
      await navigate({ to: '/auth/sign-in' })
    },
  })
}
