import { createFileRoute } from '@tanstack/react-router'
import { InvitationsPage } from '@/features/members'
import { tableSearchNames } from '@/shared/table'
import { strings } from '@/shared/lib/search'

export const Route = createFileRoute('/_app/organization/$organizationId/settings/invitations')({
  validateSearch: strings(...tableSearchNames),
  component: InvitationsPage,
})
