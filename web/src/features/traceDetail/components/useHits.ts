import { useMemo } from 'react'
import { useFind } from '../api/useFind'
import type { Tree } from '../model/tree'
import type { Hits } from '../model/wire'

export type FoundInTrace = {
  isLoading: boolean
  error: unknown
  total: number
  isPartial: boolean
  byRow: ReadonlyMap<number, number>
  /** The rows with a hit, in order. */
  rows: number[]
  hits: Hits['hits']
}

const none: ReadonlyMap<number, number> = new Map()

/** The search hits in a trace, by row of its tree. */
export function useHits(
  projectId: string,
  traceId: string,
  tree: Tree,
  text: string | undefined,
): FoundInTrace {
  const { data, isFetching, error } = useFind(projectId, traceId, text)
  const found = text === undefined || text.trim() === '' ? undefined : data
  const byRow = useMemo(() => {
    if (!found) return none
    const counts = new Map<number, number>()
    for (const { observationId, count } of found.hits) {
      const row = tree.rowOf.get(observationId)
      if (row !== undefined) counts.set(row, (counts.get(row) ?? 0) + count)
    }
    return counts
  }, [found, tree])
  const rows = useMemo(() => [...byRow.keys()].sort((a, b) => a - b), [byRow])
  return {
    isLoading: isFetching && text !== undefined,
    error,
    total: found?.total ?? 0,
    isPartial: found?.partial ?? false,
    byRow,
    rows,
    hits: found?.hits ?? [],
  }
}
