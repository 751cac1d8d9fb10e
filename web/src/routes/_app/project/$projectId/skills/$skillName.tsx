import { createFileRoute } from '@tanstack/react-router'
import { SkillPage } from '@/features/skills'
import { strings } from '@/shared/lib/search'

export const Route = createFileRoute('/_app/project/$projectId/skills/$skillName')({
  validateSearch: strings('version', 'file'),
  component: SkillPage,
})
