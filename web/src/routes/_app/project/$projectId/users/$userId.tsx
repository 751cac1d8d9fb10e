import { createFileRoute } from '@tanstack/react-router'
import { UserPage } from '@/features/users'
import { tableSearchNames } from '@/shared/table'
import { strings } from '@/shared/lib/search'

export const Route = createFileRoute('/_app/project/$projectId/users/$userId')({
  validateSearch: strings(...tableSearchNames, 'tab'),
  component: UserPage,
})
