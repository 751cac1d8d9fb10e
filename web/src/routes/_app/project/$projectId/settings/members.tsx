import { createFileRoute } from '@tanstack/react-router'
import * as v from 'valibot'
import { ProjectMembersPage } from '@/features/members'
import { tableSearchEntries } from '@/shared/table'

export const Route = createFileRoute('/_app/project/$projectId/settings/members')({
  validateSearch: v.looseObject(tableSearchEntries),
  component: ProjectMembersPage,
})
