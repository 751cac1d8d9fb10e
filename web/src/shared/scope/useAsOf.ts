import { useLocation } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useState } from 'react'
import { readHistoryState, writeHistoryState } from '@/shared/lib/historyState'
import { useNow } from '@/shared/ui'

type Moment = { key: string; at: number }

/** As long as rows stay in the cache: a user who returns within this time finds the page unchanged. */
const comesBackWithin = 5 * 60_000

/**
 * The point in time up to which a page shows data. It stays the same until the query (the key) changes, so that all
 * parts of the page agree, and is restored on the way back to the page.
 */
export function useAsOf(key: string): [asOf: Date, refresh: () => void] {
  const now = useNow().getTime()
  const [moment, setMoment] = useState<Moment>(() => {
    const kept = readHistoryState<Moment>('moment')
    return kept?.key === key && now - kept.at < comesBackWithin ? kept : { key, at: now }
  })
  if (moment.key !== key) setMoment({ key, at: now })
  // Every history entry keeps it, including those with an open panel. The history is outside React.
  const entry = useLocation({ select: ({ href }) => href })
  const keepMoment = useEffectEvent((_at: number, _entry: string) =>
    writeHistoryState('moment', moment),
  )
  useEffect(() => keepMoment(moment.at, entry), [moment.at, entry])
  return [new Date(moment.at), () => setMoment({ key, at: Date.now() })]
}
