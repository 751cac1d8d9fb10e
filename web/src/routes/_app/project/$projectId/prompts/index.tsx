import { createFileRoute } from '@tanstack/react-router'
import { listSearchNames, PromptsPage } from '@/features/prompts'
import { strings } from '@/shared/lib/search'
import { tableSearchNames } from '@/shared/table'

export const Route = createFileRoute('/_app/project/$projectId/prompts/')({
  validateSearch: strings(...listSearchNames, ...tableSearchNames),
  component: PromptsPage,
})
