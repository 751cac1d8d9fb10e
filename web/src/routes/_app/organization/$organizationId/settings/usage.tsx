import { createFileRoute } from '@tanstack/react-router'
import { OrganizationUsagePage } from '@/features/usage'
import { tableSearchNames } from '@/shared/table'
import { strings } from '@/shared/lib/search'

export const Route = createFileRoute('/_app/organization/$organizationId/settings/usage')({
  validateSearch: strings(...tableSearchNames),
  component: OrganizationUsagePage,
})
