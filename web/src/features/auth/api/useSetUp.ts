import { ui, unwrap } from '@/shared/api'
import { useSessionChange } from './useSessionChange'

export function useSetUp() {
  return useSessionChange(
    (body: { token: string; name: string; email: string; password: string }) =>
      unwrap(ui.POST('/api/ui/auth/setup', { body })),
    (first) => first.session,
  )
}
