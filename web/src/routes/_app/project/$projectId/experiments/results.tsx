import { createFileRoute } from '@tanstack/react-router'
import { ResultsPage, resultsSearch } from '@/features/experiments'

export const Route = createFileRoute('/_app/project/$projectId/experiments/results')({
  validateSearch: resultsSearch,
  component: ResultsPage,
})
