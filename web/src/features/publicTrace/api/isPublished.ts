import type { QueryClient } from '@tanstack/react-query'
import { projectApi } from '@/shared/api'
import type { TraceAddress } from '../model/traceAt'

export const publishedQuery = ({ projectId, traceId }: TraceAddress) => ({
  queryKey: ['published', projectId, traceId],
  queryFn: async () => {
    const rest = new AbortController()
    const { response } = await projectApi(projectId).GET('/traces/{traceId}/tree', {
      params: { path: { traceId } },
      parseAs: 'stream',
      signal: rest.signal,
    })
    rest.abort() // the body is loaded when the trace is shown
    return response.ok
  },
  staleTime: 10_000,
})

/** Whether somebody who cannot see the project can see the trace. */
export function isPublished(client: QueryClient, trace: TraceAddress): Promise<boolean> {
  return client.fetchQuery(publishedQuery(trace))
}
