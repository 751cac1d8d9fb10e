import { createFileRoute } from '@tanstack/react-router'
import * as v from 'valibot'
import { InvitationsPage } from '@/features/members'
import { tableSearchEntries } from '@/shared/table'

export const Route = createFileRoute('/_app/organization/$organizationId/settings/invitations')({
  validateSearch: v.looseObject(tableSearchEntries),
  component: InvitationsPage,
})
