import { createFileRoute, useSearch } from '@tanstack/react-router'
import { ComparePage, TracePage } from '@/features/traceDetail'

export const Route = createFileRoute('/_app/project/$projectId/traces/compare')({
  component: Compare,
})

/** Compares the traces that the URL names. Without any, this is the page of a trace with the id "compare". */
function Compare() {
  const search: { a?: unknown; b?: unknown } = useSearch({ strict: false })
  if (search.a === undefined && search.b === undefined) return <TracePage traceId="compare" />
  return <ComparePage />
}
