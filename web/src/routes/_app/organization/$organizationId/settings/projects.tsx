import { createFileRoute } from '@tanstack/react-router'
import * as v from 'valibot'
import { OrganizationProjectsPage } from '@/features/organizations'
import { tableSearchEntries } from '@/shared/table'

export const Route = createFileRoute('/_app/organization/$organizationId/settings/projects')({
  validateSearch: v.looseObject(tableSearchEntries),
  component: OrganizationProjectsPage,
})
