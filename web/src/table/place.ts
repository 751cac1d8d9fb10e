import { useEffect, useEffectEvent, useRef, type RefObject } from 'react'
import { keep, readKept } from '@/lib/kept'
import type { Selection } from './selection'
import type { TableState } from './tableState'

/** Where somebody is in a list, for the way back to it. */
export type Place = { top: number; current: string | undefined; ids: string[] }

/** So many ms a list rests before its place is kept: a script that scrolls ends a scroll in every frame. */
const rest = 100

/** So many selected rows at the most are kept. */
const mostIds = 1000

export function placeBefore(label: string): Place | undefined {
  return readKept<Place>(label)
}

type Now = {
  hasRows: boolean
  current: string | undefined
  selection: Selection
  /** What other entries of the history have. */
  state: TableState
  openId: string | undefined
}

/** Brings the list to where it was, as soon as there are rows, and keeps where it is. */
export function useKeptPlace(
  label: string,
  scroller: RefObject<HTMLElement | null>,
  before: Place | undefined,
  { hasRows, current, selection, state, openId }: Now,
): void {
  const topBefore = useRef(before?.top ?? 0)
  // What it is called with says only when: a change of it may be a new entry.
  const keepPlace = useEffectEvent((..._changed: unknown[]) => {
    const ids = [...selection.ids]
    const place: Place = {
      top: scroller.current?.scrollTop ?? 0,
      current,
      ids: ids.length > mostIds ? [] : ids,
    }
    keep(label, place)
  })
  // Scrolling, like the history, is outside React.
  useEffect(() => {
    const list = scroller.current
    if (!hasRows || !list) return
    if (topBefore.current > 0) list.scrollTo(0, topBefore.current)
    topBefore.current = 0
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
    if (hasRows) keepPlace(current, selection, state, openId)
  }, [hasRows, current, selection, state, openId])
}
