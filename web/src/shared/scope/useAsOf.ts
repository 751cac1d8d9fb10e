import { useLocation } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useState } from 'react'
import { writeHistoryState } from '@/shared/lib/historyState'
import { endMoment, momentOf } from './moment'

/**
 * The point in time up to which a page shows data. It stays the same until the query (the key) changes, so that all
 * parts of the page agree, and is restored on the way back to the page.
 */
export function useAsOf(key: string): [asOf: Date, refresh: () => void] {
  const [moment, setMoment] = useState(() => momentOf(key))
  if (moment.key !== key) setMoment(momentOf(key))
  const refresh = () => setMoment({ key, at: Date.now() })
  // Every history entry keeps it, including those with an open panel. The history is outside React.
  const entry = useLocation({ select: ({ href }) => href })
  const keepMoment = useEffectEvent((_at: number, _entry: string) => {
    endMoment(moment.key)
    writeHistoryState('moment', moment)
  })
  useEffect(() => keepMoment(moment.at, entry), [moment.at, entry])
  // A page that the browser kept in memory is shown again as it was left, perhaps hours ago.
  const onReturn = useEffectEvent((event: PageTransitionEvent) => {
    if (event.persisted) refresh()
  })
  useEffect(() => {
    const listener = (event: PageTransitionEvent) => onReturn(event)
    addEventListener('pageshow', listener)
    return () => removeEventListener('pageshow', listener)
  }, [])
  return [new Date(moment.at), refresh]
}
