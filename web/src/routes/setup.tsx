import { createFileRoute } from '@tanstack/react-router'
import * as v from 'valibot'
import { SetUpPage } from '@/features/auth'
import { sessionQuery } from '@/shared/currentUser'

export const Route = createFileRoute('/setup')({
  validateSearch: v.object({ token: v.optional(v.fallback(v.string(), '')) }),
  loader: ({ context }) => context.queryClient.ensureQueryData(sessionQuery),
  component: SetUpPage,
})
