import { createFileRoute } from '@tanstack/react-router'
import { ScoreConfigsPage } from '@/features/scoreConfigs'
import { tableSearchNames } from '@/shared/table'
import { strings } from '@/shared/lib/search'

export const Route = createFileRoute('/_app/project/$projectId/settings/scores')({
  validateSearch: strings(...tableSearchNames),
  component: ScoreConfigsPage,
})
