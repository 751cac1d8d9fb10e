import { createFileRoute } from '@tanstack/react-router'
import { MembersPage } from '@/features/members'
import { tableSearchNames } from '@/shared/table'
import { strings } from '@/shared/lib/search'

export const Route = createFileRoute('/_app/organization/$organizationId/settings/members')({
  validateSearch: strings(...tableSearchNames),
  component: MembersPage,
})
