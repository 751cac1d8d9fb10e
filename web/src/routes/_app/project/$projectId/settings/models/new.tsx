import { createFileRoute } from '@tanstack/react-router'
import { NewModelPage } from '@/features/models'
import { strings } from '@/shared/lib/search'

export const Route = createFileRoute('/_app/project/$projectId/settings/models/new')({
  validateSearch: strings('name', 'like'),
  component: NewModelPage,
})
