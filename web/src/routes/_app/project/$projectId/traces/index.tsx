import { createFileRoute } from '@tanstack/react-router'
import { prefetchRows, TracesPage, tracesSearchNames } from '@/features/traceList'
import { strings } from '@/shared/lib/search'

export const Route = createFileRoute('/_app/project/$projectId/traces/')({
  validateSearch: strings(...tracesSearchNames),
  // Beside the code of the page, rather than after it. Pages that are only pointed at are not asked for.
  loader: ({ cause, context, location, params }) => {
    if (cause === 'enter')
      prefetchRows(context.queryClient, params.projectId, 'traces', location.searchStr)
  },
  component: () => <TracesPage table="traces" />,
})
