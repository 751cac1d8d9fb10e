import { createFileRoute } from '@tanstack/react-router'
import { SignInPage } from '@/features/auth'
import { sessionQuery } from '@/shared/currentUser'
import { strings } from '@/shared/lib/search'

export const Route = createFileRoute('/auth/sign-in')({
  validateSearch: strings('returnTo', 'callbackUrl', 'error'),
  loader: ({ context }) => context.queryClient.ensureQueryData(sessionQuery),
  component: SignInPage,
})
