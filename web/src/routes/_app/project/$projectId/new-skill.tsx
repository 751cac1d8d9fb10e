import { createFileRoute } from '@tanstack/react-router'
import { SkillEditorPage } from '@/features/skills'
import { strings } from '@/shared/lib/search'

/** A new skill, or a new version of one. */
export const Route = createFileRoute('/_app/project/$projectId/new-skill')({
  validateSearch: strings('name', 'version'),
  component: SkillEditorPage,
})
