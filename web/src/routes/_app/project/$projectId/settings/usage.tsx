import { createFileRoute } from '@tanstack/react-router'
import { ProjectUsagePage } from '@/features/usage'

export const Route = createFileRoute('/_app/project/$projectId/settings/usage')({
  component: ProjectUsagePage,
})
