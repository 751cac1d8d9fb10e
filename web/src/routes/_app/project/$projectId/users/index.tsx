import { createFileRoute } from '@tanstack/react-router'
import { entitiesSearchNames } from '@/shared/entityLists'
import { UsersPage } from '@/features/users'
import { strings } from '@/shared/lib/search'

export const Route = createFileRoute('/_app/project/$projectId/users/')({
  validateSearch: strings(...entitiesSearchNames),
  component: UsersPage,
})
