import { createFileRoute } from '@tanstack/react-router'
import * as v from 'valibot'
import { TracesPage, tracesSearchEntries } from '@/features/traceList'

export const Route = createFileRoute('/_app/project/$projectId/observations/')({
  validateSearch: v.looseObject(tracesSearchEntries),
  component: () => <TracesPage table="observations" />,
})
