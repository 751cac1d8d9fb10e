import { createFileRoute } from '@tanstack/react-router'
import { AnalyticsPage, analyticsSearchNames } from '@/features/scores'
import { strings } from '@/shared/lib/search'

export const Route = createFileRoute('/_app/project/$projectId/scores/analytics')({
  validateSearch: strings(...analyticsSearchNames),
  component: AnalyticsPage,
})
