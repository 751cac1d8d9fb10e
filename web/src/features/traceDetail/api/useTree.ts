import { queryOptions, useQuery, type QueryClient } from '@tanstack/react-query'
import { projectApi, traceKey, unwrap } from '@/shared/api'
import { isSameTree } from '../model/isSameTree'
import { buildTree, type Tree } from '../model/tree'
import type { WireTree } from '../model/wire'

/** A trace may still grow if something happened in it within this time. */
const recent = 2 * 60_000
const whileGrowing = 3_000
const notModified = 304

export type LoadedTrace = { wire: WireTree; tree: Tree; /** Its version. */ etag?: string }

/** A trace with its tree. */
const treeQuery = (projectId: string, traceId: string) =>
  queryOptions({
    queryKey: traceKey(projectId, traceId, 'tree'),
    queryFn: async ({ signal, client, queryKey }): Promise<LoadedTrace> => {
      const before = client.getQueryData<LoadedTrace>(queryKey)
      const asked = projectApi(projectId).GET('/traces/{traceId}/tree', {
        params: { path: { traceId } },
        // A large trace is not sent again every few seconds while nothing happens in it.
        headers: before?.etag === undefined ? {} : { 'If-None-Match': before.etag },
        signal,
      })
      // An unchanged trace stays the same object, so that nothing is rebuilt or rendered again.
      const status = await asked.then(({ response }) => response.status).catch(() => undefined)
      if (before && status === notModified) return before
      const wire = await unwrap(asked)
      if (before && isSameTree(before.wire, wire)) return before
      const etag = (await asked).response.headers.get('ETag') ?? undefined
      return { wire, tree: buildTree(wire), etag }
    },
    structuralSharing: false,
  })

/** Prefetches a trace while the code of its page loads. */
export function prefetchTree(client: QueryClient, projectId: string, traceId: string): void {
  void client.prefetchQuery(treeQuery(projectId, traceId))
}

/** A trace, polled while it may still grow. */
export function useTree(projectId: string, traceId: string, isEnabled = true) {
  return useQuery({
    ...treeQuery(projectId, traceId),
    enabled: isEnabled,
    refetchInterval: ({ state }) =>
      state.data && isRecent(state.data.wire, Date.now()) ? whileGrowing : false,
  })
}

function isRecent({ trace }: WireTree, now: number): boolean {
  const last = Date.parse(trace.startTime) + trace.latency * 1000
  return now - last < recent
}
