import { createFileRoute } from '@tanstack/react-router'
import { entitiesSearchNames } from '@/shared/entityLists'
import { SessionsPage } from '@/features/sessions'
import { strings } from '@/shared/lib/search'

export const Route = createFileRoute('/_app/project/$projectId/sessions/')({
  validateSearch: strings(...entitiesSearchNames),
  component: SessionsPage,
})
