import { createFileRoute } from '@tanstack/react-router'
import { JobsPage } from '@/features/jobs'
import { tableSearchNames } from '@/shared/table'
import { strings } from '@/shared/lib/search'

export const Route = createFileRoute('/_app/project/$projectId/settings/jobs')({
  validateSearch: strings(...tableSearchNames),
  component: JobsPage,
})
