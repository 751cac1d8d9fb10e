import { createFileRoute } from '@tanstack/react-router'
import { ExperimentsPage, experimentsSearchNames } from '@/features/experiments'
import { strings } from '@/shared/lib/search'

export const Route = createFileRoute('/_app/project/$projectId/experiments/')({
  validateSearch: strings(...experimentsSearchNames),
  component: ExperimentsPage,
})
