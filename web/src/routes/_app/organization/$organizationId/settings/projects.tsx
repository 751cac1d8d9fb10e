import { createFileRoute } from '@tanstack/react-router'
import { OrganizationProjectsPage } from '@/features/organizations'
import { tableSearchNames } from '@/shared/table'
import { strings } from '@/shared/lib/search'

export const Route = createFileRoute('/_app/organization/$organizationId/settings/projects')({
  validateSearch: strings(...tableSearchNames),
  component: OrganizationProjectsPage,
})
