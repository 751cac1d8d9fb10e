import { useEffect, useEffectEvent, useRef, type RefObject } from 'react'
import { keep, readKept } from '@/lib/kept'
import type { Selection } from './selection'
import type { TableState } from './tableState'

/** Where somebody is in a list that answers a question, for the way back to it. */
export type Place = { question: string; top: number; current: string | undefined; ids: string[] }

/** A question that a list has come to, and the place that it is brought to. */
type Arrival = { question: string; place: Place | undefined }

/** So many ms a list rests before its place is kept: a script that scrolls ends a scroll in every frame. */
const rest = 100

/** So many selected rows at the most are kept. */
const mostIds = 1000

export function placeBefore(label: string, question: string): Place | undefined {
  const place = readKept<Place>(label)
  return place?.question === question ? place : undefined
}

type Now = {
  hasRows: boolean
  /** The rows still answer the question before. */
  isStale: boolean
  current: string | undefined
  selection: Selection
  /** What other entries of the history have. */
  state: TableState
  openId: string | undefined
}

/**
 * Brings the list to where it was as soon as there are rows, or to its top if they answer another question than before, and
 * keeps where it is.
 */
export function useKeptPlace(
  label: string,
  scroller: RefObject<HTMLElement | null>,
  arrival: Arrival,
  { hasRows, isStale, current, selection, state, openId }: Now,
): void {
  const arrived = useRef<Arrival>(undefined)
  // What it is called with says only when: a change of it may be a new entry.
  const keepPlace = useEffectEvent((..._changed: unknown[]) => {
    const ids = [...selection.ids]
    const place: Place = {
      question: arrival.question,
      top:
        arrived.current === arrival
          ? (scroller.current?.scrollTop ?? 0)
          : (arrival.place?.top ?? 0),
      current,
      ids: ids.length > mostIds ? [] : ids,
    }
    keep(label, place)
  })
  // Scrolling, like the history, is outside React.
  useEffect(() => {
    if (!hasRows || isStale || !scroller.current || arrived.current === arrival) return
    // A list that nobody has scrolled is at its top.
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
