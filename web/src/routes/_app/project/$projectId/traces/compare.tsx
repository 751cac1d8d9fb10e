import { createFileRoute } from '@tanstack/react-router'
import { ComparePage, TracePage, traceSearchNames } from '@/features/traceDetail'
import { strings } from '@/shared/lib/search'

export const Route = createFileRoute('/_app/project/$projectId/traces/compare')({
  validateSearch: strings(...traceSearchNames, 'a', 'b', 'row'),
  component: Compare,
})

/** Compares the traces that the URL names. Without any, this is the page of a trace with the id "compare". */
function Compare() {
  const { a, b } = Route.useSearch()
  if (a === undefined && b === undefined) return <TracePage traceId="compare" />
  return <ComparePage />
}
