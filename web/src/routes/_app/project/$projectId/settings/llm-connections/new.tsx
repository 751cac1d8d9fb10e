import { createFileRoute } from '@tanstack/react-router'
import { NewConnectionPage } from '@/features/connections'
import { strings } from '@/shared/lib/search'

export const Route = createFileRoute('/_app/project/$projectId/settings/llm-connections/new')({
  validateSearch: strings('like'),
  component: NewConnectionPage,
})
