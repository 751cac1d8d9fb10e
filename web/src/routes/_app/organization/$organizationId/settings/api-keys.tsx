import { createFileRoute } from '@tanstack/react-router'
import { OrganizationKeysPage } from '@/features/keys'
import { tableSearchNames } from '@/shared/table'
import { strings } from '@/shared/lib/search'

export const Route = createFileRoute('/_app/organization/$organizationId/settings/api-keys')({
  validateSearch: strings(...tableSearchNames),
  component: OrganizationKeysPage,
})
