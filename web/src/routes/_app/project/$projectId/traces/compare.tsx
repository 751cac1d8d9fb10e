import { createFileRoute } from '@tanstack/react-router'
import { ComparePage } from '@/features/trace'

export const Route = createFileRoute('/_app/project/$projectId/traces/compare')({
  component: ComparePage,
})
