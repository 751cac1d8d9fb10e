import { createFileRoute } from '@tanstack/react-router'
import { TracesPage, tracesSearchNames } from '@/features/traceList'
import { strings } from '@/shared/lib/search'

export const Route = createFileRoute('/_app/project/$projectId/traces/')({
  validateSearch: strings(...tracesSearchNames),
  component: () => <TracesPage table="traces" />,
})
