import { queryOptions, useQuery, type QueryClient } from '@tanstack/react-query'
import { ui, unwrap } from '@/api'
import { isSameTree } from '../model/isSameTree'
import { buildTree, type Tree } from '../model/tree'
import type { WireTree } from '../model/wire'

/** A trace may still grow if something happened in it this short a time ago. */
const recent = 2 * 60_000
const whileGrowing = 3_000

export const traceKey = (projectId: string, traceId: string) => [
  'project',
  projectId,
  'trace',
  traceId,
]

export type LoadedTrace = { wire: WireTree; tree: Tree }

/** A trace with its tree. */
const treeQuery = (projectId: string, traceId: string) =>
  queryOptions({
    queryKey: [...traceKey(projectId, traceId), 'tree'],
    queryFn: async ({ signal, client, queryKey }): Promise<LoadedTrace> => {
      const wire = await unwrap(
        ui.GET('/api/ui/projects/{projectId}/traces/{traceId}/tree', {
          params: { path: { projectId, traceId } },
          signal,
        }),
      )
      // What is the same stays the same object, so that nothing is built or drawn again.
      const before = client.getQueryData<LoadedTrace>(queryKey)
      return before && isSameTree(before.wire, wire) ? before : { wire, tree: buildTree(wire) }
    },
    structuralSharing: false,
  })

/** Asks for a trace before its page is there, so that both come at the same time. */
export function fetchTreeAhead(client: QueryClient, projectId: string, traceId: string): void {
  void client.prefetchQuery(treeQuery(projectId, traceId))
}

/** A trace, asked for again and again while it may still grow. */
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
