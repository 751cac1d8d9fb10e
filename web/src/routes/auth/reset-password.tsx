import { createFileRoute } from '@tanstack/react-router'
import * as v from 'valibot'
import { ResetPasswordPage } from '@/features/auth'

export const Route = createFileRoute('/auth/reset-password')({
  validateSearch: v.object({ token: v.optional(v.fallback(v.string(), '')) }),
  component: ResetPasswordPage,
})
