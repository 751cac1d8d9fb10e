import { createFileRoute } from '@tanstack/react-router'
import { SessionPage } from '@/features/sessions'

export const Route = createFileRoute('/_app/project/$projectId/sessions/$sessionId')({
  component: SessionPage,
})
