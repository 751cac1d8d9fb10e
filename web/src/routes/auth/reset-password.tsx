import { createFileRoute } from '@tanstack/react-router'
import { ResetPasswordPage } from '@/features/auth'
import { strings } from '@/shared/lib/search'

export const Route = createFileRoute('/auth/reset-password')({
  validateSearch: strings('token'),
  component: ResetPasswordPage,
})
