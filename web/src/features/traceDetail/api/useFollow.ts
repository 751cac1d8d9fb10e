import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { changedIds } from '../model/changedIds'
import type { LoadedTrace } from './useTree'
import { traceKey } from '@/shared/api'

/** Refetches data of a growing trace along with its tree, as far as it may have changed. */
export function useFollow(projectId: string, trace: LoadedTrace | undefined): void {
  const client = useQueryClient()
  const shown = useRef(trace)
  const [since] = useState(() => Date.now())
  // The query cache is outside React. Components that show the tree have received it by now and request its rows.
  useEffect(() => {
    const before = shown.current
    shown.current = trace
    if (!trace || trace === before) return
    if (before && before.wire.traceId !== trace.wire.traceId) return
    // Data loaded before the first tree, for example on a session page, has not been kept up to date.
    const changed = before ? changedIds(before.wire, trace.wire) : new Set(trace.tree.ids)
    // The attributes of a trace come with its first observation, and any observation may change them.
    changed.add(trace.tree.ids[0] ?? '')
    const key = traceKey(projectId, trace.wire.traceId)
    void client.invalidateQueries({
      queryKey: key,
      predicate: ({ queryKey, state }) => {
        const isAskedHere = state.fetchStatus !== 'idle' || state.dataUpdatedAt > since
        if (!before && isAskedHere) return false
        const [part, id] = queryKey.slice(key.length)
        return (
          part === 'log' ||
          part === 'turnMessages' ||
          (part === 'detail' && changed.has(String(id)))
        )
      },
    })
  }, [client, projectId, trace, since])
}
