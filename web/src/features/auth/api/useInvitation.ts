import { useQuery } from '@tanstack/react-query'
import { ui, unwrap } from '@/shared/api'
import { useSessionChange } from './useSessionChange'

export function useInvitation(token: string) {
  return useQuery({
    queryKey: ['invitation', token],
    queryFn: ({ signal }) =>
      unwrap(ui.GET('/api/ui/invitations/{token}', { params: { path: { token } }, signal })),
  })
}

export function useAcceptInvitation(token: string) {
  return useSessionChange(
    (body: { name?: string; password?: string }) =>
      unwrap(ui.POST('/api/ui/invitations/{token}/accept', { params: { path: { token } }, body })),
    (session) => session,
  )
}
