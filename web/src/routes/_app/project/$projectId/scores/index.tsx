import { createFileRoute } from '@tanstack/react-router'
import * as v from 'valibot'
import { ScoresPage, scoresSearchEntries } from '@/features/scores'

export const Route = createFileRoute('/_app/project/$projectId/scores/')({
  validateSearch: v.looseObject(scoresSearchEntries),
  component: ScoresPage,
})
