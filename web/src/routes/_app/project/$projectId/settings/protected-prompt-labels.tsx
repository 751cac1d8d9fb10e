import { createFileRoute } from '@tanstack/react-router'
import { ProtectedLabelsPage } from '@/features/prompts'

export const Route = createFileRoute('/_app/project/$projectId/settings/protected-prompt-labels')({
  component: ProtectedLabelsPage,
})
