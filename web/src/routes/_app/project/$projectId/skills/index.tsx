import { createFileRoute } from '@tanstack/react-router'
import { SkillsPage } from '@/features/skills'
import { strings } from '@/shared/lib/search'
import { tableSearchNames } from '@/shared/table'

export const Route = createFileRoute('/_app/project/$projectId/skills/')({
  validateSearch: strings('search', ...tableSearchNames),
  component: SkillsPage,
})
