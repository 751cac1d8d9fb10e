import { queryOptions, useQuery, type QueryClient } from '@tanstack/react-query'
import { projectApi, traceKey, unwrap } from '@/shared/api'
import { isSameTree } from '../model/isSameTree'
import { buildTree, type Tree } from '../model/tree'
import type { WireTree } from '../model/wire'

/** A trace may still grow if something happened in it within this time. */
const recent = 2 * 60_000
const whileGrowing = 3_000

export type LoadedTrace = { wire: WireTree; tree: Tree }

/** A trace with its tree. */
const treeQuery = (projectId: string, traceId: string) =>
  queryOptions({
    queryKey: traceKey(projectId, traceId, 'tree'),
    queryFn: async ({ signal, client, queryKey }): Promise<LoadedTrace> => {
      const wire = await unwrap(
        projectApi(projectId).GET('/traces/{traceId}/tree', {
          params: { path: { traceId } },
          signal,
        }),
      )
      // An unchanged trace stays the same object, so that nothing is rebuilt or rendered again.
      const before = client.getQueryData<LoadedTrace>(queryKey)
      return before && isSameTree(before.wire, wire) ? before : { wire, tree: buildTree(wire) }
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
