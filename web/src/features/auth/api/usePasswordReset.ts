import { useMutation } from '@tanstack/react-query'
import { ui, unwrap } from '@/shared/api'

export function useForgotPassword() {
  return useMutation({
    mutationFn: (body: { email: string }) =>
      unwrap(ui.POST('/api/ui/auth/forgot-password', { body })),
  })
}

export function useResetPassword() {
  return useMutation({
    mutationFn: (body: { token: string; password: string }) =>
      unwrap(ui.POST('/api/ui/auth/reset-password', { body })),
  })
}
