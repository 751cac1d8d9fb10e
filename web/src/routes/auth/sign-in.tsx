import { createFileRoute } from '@tanstack/react-router'
import * as v from 'valibot'
import { SignInPage } from '@/features/auth'
import { sessionQuery } from '@/shared/currentUser'

export const Route = createFileRoute('/auth/sign-in')({
  validateSearch: v.object({
    returnTo: v.optional(v.fallback(v.string(), '')),
    // The name of the parameter in links made elsewhere.
    callbackUrl: v.optional(v.fallback(v.string(), '')),
    error: v.optional(v.fallback(v.string(), '')),
  }),
  loader: ({ context }) => context.queryClient.ensureQueryData(sessionQuery),
  component: SignInPage,
})
