import { createFileRoute } from '@tanstack/react-router'
import { ModelPage } from '@/features/models'

export const Route = createFileRoute('/_app/project/$projectId/settings/models/$modelId')({
  component: ModelPage,
})
