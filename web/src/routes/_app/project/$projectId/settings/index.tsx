import { createFileRoute } from '@tanstack/react-router'
import { ProjectGeneralPage } from '@/features/projects'

export const Route = createFileRoute('/_app/project/$projectId/settings/')({
  component: ProjectGeneralPage,
})
