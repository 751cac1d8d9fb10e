import { createFileRoute } from '@tanstack/react-router'
import { ProjectSettings } from '@/features/projects'

export const Route = createFileRoute('/_app/project/$projectId/settings')({
  component: ProjectSettings,
})
