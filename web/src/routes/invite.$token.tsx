import { createFileRoute } from '@tanstack/react-router'
import { InvitationPage } from '@/features/auth'
import { sessionQuery } from '@/shared/currentUser'

export const Route = createFileRoute('/invite/$token')({
  loader: ({ context }) => context.queryClient.ensureQueryData(sessionQuery),
  component: InvitationPage,
})
