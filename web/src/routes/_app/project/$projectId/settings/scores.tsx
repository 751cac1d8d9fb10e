import { createFileRoute } from '@tanstack/react-router'
import * as v from 'valibot'
import { ScoreConfigsPage } from '@/features/scoreConfigs'
import { tableSearchEntries } from '@/shared/table'

export const Route = createFileRoute('/_app/project/$projectId/settings/scores')({
  validateSearch: v.looseObject(tableSearchEntries),
  component: ScoreConfigsPage,
})
