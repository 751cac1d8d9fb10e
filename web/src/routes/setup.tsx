import { createFileRoute } from '@tanstack/react-router'
import { SetUpPage } from '@/features/auth'
import { sessionQuery } from '@/shared/currentUser'
import { strings } from '@/shared/lib/search'

export const Route = createFileRoute('/setup')({
  validateSearch: strings('token'),
  loader: ({ context }) => context.queryClient.ensureQueryData(sessionQuery),
  component: SetUpPage,
})
