import { createFileRoute } from '@tanstack/react-router'
import * as v from 'valibot'
import { OrganizationKeysPage } from '@/features/keys'
import { tableSearchEntries } from '@/shared/table'

export const Route = createFileRoute('/_app/organization/$organizationId/settings/api-keys')({
  validateSearch: v.looseObject(tableSearchEntries),
  component: OrganizationKeysPage,
})
