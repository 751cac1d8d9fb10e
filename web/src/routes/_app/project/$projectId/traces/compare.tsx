import { createFileRoute, useSearch } from '@tanstack/react-router'
import { ComparePage, TracePage } from '@/features/trace'

export const Route = createFileRoute('/_app/project/$projectId/traces/compare')({
  component: Compare,
})

/** Two traces are compared if the address names some. Without, it is the page of a trace that is called so. */
function Compare() {
  const search: { a?: unknown; b?: unknown } = useSearch({ strict: false })
  if (search.a === undefined && search.b === undefined) return <TracePage traceId="compare" />
  return <ComparePage />
}
