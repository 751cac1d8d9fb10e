import { ui, unwrap } from '@/shared/api'
import { useSessionChange } from './useSessionChange'

export function useSignIn() {
  return useSessionChange(
    (body: { email: string; password: string }) =>
      unwrap(ui.POST('/api/ui/auth/sign-in', { body })),
    (session) => session,
  )
}
