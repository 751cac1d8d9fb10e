import { createFileRoute } from '@tanstack/react-router'
import { ScoresPage, scoresSearchNames } from '@/features/scores'
import { strings } from '@/shared/lib/search'

export const Route = createFileRoute('/_app/project/$projectId/scores/')({
  validateSearch: strings(...scoresSearchNames),
  component: ScoresPage,
})
