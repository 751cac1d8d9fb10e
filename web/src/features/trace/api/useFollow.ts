import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { changedIds } from '../model/changedIds'
import { traceKey, type LoadedTrace } from './useTree'

/** What was read of a trace that grows is read again with the tree, as far as it may be other than before. */
export function useFollow(projectId: string, trace: LoadedTrace | undefined): void {
  const client = useQueryClient()
  const shown = useRef(trace)
  const [since] = useState(() => Date.now())
  // What was read is kept outside React. Whatever draws the tree has taken it by now and asks for its rows.
  useEffect(() => {
    const before = shown.current
    shown.current = trace
    if (!trace || trace === before) return
    if (before && before.wire.traceId !== trace.wire.traceId) return
    // What was read before the first tree, as with a session, nobody has followed.
    const changed = before ? changedIds(before.wire, trace.wire) : new Set(trace.tree.ids)
    // What a trace says about itself is with its first observation, and may come with any.
    changed.add(trace.tree.ids[0] ?? '')
    const key = traceKey(projectId, trace.wire.traceId)
    void client.invalidateQueries({
      queryKey: key,
      predicate: ({ queryKey, state }) => {
        const isAskedHere = state.fetchStatus !== 'idle' || state.dataUpdatedAt > since
        if (!before && isAskedHere) return false
        const [part, id] = queryKey.slice(key.length)
        return part === 'log' || part === 'said' || (part === 'detail' && changed.has(String(id)))
      },
    })
  }, [client, projectId, trace, since])
}
