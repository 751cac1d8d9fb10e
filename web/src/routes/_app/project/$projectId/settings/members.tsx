import { createFileRoute } from '@tanstack/react-router'
import { ProjectMembersPage } from '@/features/members'
import { tableSearchNames } from '@/shared/table'
import { strings } from '@/shared/lib/search'

export const Route = createFileRoute('/_app/project/$projectId/settings/members')({
  validateSearch: strings(...tableSearchNames),
  component: ProjectMembersPage,
})
