import { createFileRoute } from '@tanstack/react-router'
import * as v from 'valibot'
import { AnalyticsPage, analyticsSearchEntries } from '@/features/scores'

export const Route = createFileRoute('/_app/project/$projectId/scores/analytics')({
  validateSearch: v.looseObject(analyticsSearchEntries),
  component: AnalyticsPage,
})
