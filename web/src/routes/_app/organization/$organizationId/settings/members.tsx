import { createFileRoute } from '@tanstack/react-router'
import * as v from 'valibot'
import { MembersPage } from '@/features/members'
import { tableSearchEntries } from '@/shared/table'

export const Route = createFileRoute('/_app/organization/$organizationId/settings/members')({
  validateSearch: v.looseObject(tableSearchEntries),
  component: MembersPage,
})
