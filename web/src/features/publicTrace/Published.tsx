import { useQuery } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import { lazy, Suspense, type ReactNode } from 'react'
import { publishedQuery } from './api/isPublished'
import { traceAt } from './model/traceAt'

const PublicTracePage = lazy(async () => ({
  default: (await import('./PublicTracePage')).PublicTracePage,
}))

/**
 * Shows the trace at the current address to somebody who cannot see its project, if the trace is published; `otherwise`
 * if not.
 */
export function Published({ otherwise }: { otherwise: ReactNode }) {
  const trace = traceAt(useLocation().pathname)
  const found = useQuery({
    ...publishedQuery(trace ?? { projectId: '', traceId: '' }),
    enabled: trace !== undefined,
  })
  if (!trace || found.data === false || found.isError) return otherwise
  if (!found.data) return null
  return (
    <Suspense>
      <PublicTracePage projectId={trace.projectId} traceId={trace.traceId} />
    </Suspense>
  )
}
