import { useEffect, useEffectEvent, useRef, type RefObject } from 'react'
import { readHistoryState, writeHistoryState } from '@/shared/lib/historyState'
import type { Selection } from './selection'
import type { TableState } from './tableState'

/** Where the user is in a list that shows the result of a query, for the way back to it. */
export type ScrollSnapshot = {
  resetKey: string
  top: number
  current: string | undefined
  ids: string[]
}

/** A query that a list has arrived at, and the place to restore. */
type Restored = { resetKey: string; place: ScrollSnapshot | undefined }

/**
 * How long a list has to rest before its place is kept, in milliseconds: a script that scrolls ends a scroll in every
 * frame.
 */
const rest = 100

/** Larger selections are not kept. */
const mostIds = 1000

export function placeBefore(label: string, resetKey: string): ScrollSnapshot | undefined {
  const place = readHistoryState<ScrollSnapshot>(label)
  return place?.resetKey === resetKey ? place : undefined
}

/** The row that was current at a place; its index is not known yet. */
export function currentAt(place: ScrollSnapshot | undefined) {
  return place?.current === undefined ? undefined : { id: place.current, index: -1 }
}

type Now = {
  hasRows: boolean
  /** Whether the rows still belong to the previous query. */
  isStale: boolean
  current: string | undefined
  selection: Selection
  /** The parts of the URL by which history entries differ. */
  state: TableState
  openId: string | undefined
}

/**
 * Restores the scroll position as soon as there are rows, or scrolls to the top if they belong to another query, and
 * keeps the current position.
 */
export function useKeptPlace(
  label: string,
  scroller: RefObject<HTMLElement | null>,
  arrival: Restored,
  { hasRows, isStale, current, selection, state, openId }: Now,
): void {
  const arrived = useRef<Restored>(undefined)
  // The arguments only tell when to run: if one of them changes, there may be a new history entry.
  const keepPlace = useEffectEvent((..._changed: unknown[]) => {
    const ids = [...selection.ids]
    const place: ScrollSnapshot = {
      resetKey: arrival.resetKey,
      top:
        arrived.current === arrival
          ? (scroller.current?.scrollTop ?? 0)
          : (arrival.place?.top ?? 0),
      current,
      ids: ids.length > mostIds ? [] : ids,
    }
    writeHistoryState(label, place)
  })
  // Scrolling, like the history, is outside React.
  useEffect(() => {
    if (!hasRows || isStale || !scroller.current || arrived.current === arrival) return
    // A list that has not been scrolled is at the top already.
    if (arrived.current || arrival.place)
      scroller.current.scrollTo({ top: arrival.place?.top ?? 0 })
    arrived.current = arrival
  }, [scroller, hasRows, isStale, arrival])
  useEffect(() => {
    const list = scroller.current
    if (!hasRows || !list) return
    let waiting: ReturnType<typeof setTimeout> | undefined
    const listener = () => {
      clearTimeout(waiting)
      waiting = setTimeout(keepPlace, rest)
    }
    list.addEventListener('scrollend', listener)
    return () => {
      clearTimeout(waiting)
      list.removeEventListener('scrollend', listener)
    }
  }, [scroller, hasRows])
  useEffect(() => {
    if (hasRows) keepPlace(arrival, current, selection, state, openId)
  }, [hasRows, arrival, current, selection, state, openId])
}
