import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { ui, unwrap } from '@/api'
import { buildTree } from '../model/tree'
import { isSameTree } from '../model/isSameTree'
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

/** The tree of a trace. Asked for again and again while the trace may still grow. */
export function useTree(projectId: string, traceId: string) {
  const query = useQuery({
    queryKey: [...traceKey(projectId, traceId), 'tree'],
    queryFn: ({ signal }) =>
      unwrap(
        ui.GET('/api/ui/projects/{projectId}/traces/{traceId}/tree', {
          params: { path: { projectId, traceId } },
          signal,
        }),
      ),
    // What is the same stays the same object, so that nothing is built or drawn again.
    structuralSharing: (before, now) => (isSameTree(before, now) ? before : now),
    refetchInterval: ({ state }) =>
      state.data && isRecent(state.data, Date.now()) ? whileGrowing : false,
  })
  const { data } = query
  const tree = useMemo(() => data && buildTree(data), [data])
  return { ...query, tree }
}

function isRecent({ trace }: WireTree, now: number): boolean {
  const last = Date.parse(trace.startTime) + trace.latency * 1000
  return now - last < recent
}
