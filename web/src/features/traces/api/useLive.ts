import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { usePreference } from '@/lib/preference'
import type { TableState } from '@/table'
import { nothingYet, tailParameters, withFresh } from '../model/live'
import { livePreference } from '../model/livePreference'
import type { Row } from '../model/rows'
import type { Table } from '../model/view'
import { askedFor } from './useRows'
import { useTail } from './useTail'
import type { View } from './useView'

type LiveOptions = {
  loaded: Row[] | undefined
  /** When they came, and whether all of them are asked for again. */
  loadedAt: number
  isReloading: boolean
  isOn: boolean
  /** Nothing may move: a row is open. */
  isHeld: boolean
  /** From now on all that is stored comes; what was loaded before may lack something. */
  onReady: () => void
}

/**
 * The rows of a table with what arrives. Rows that are shown are kept as they are now. New ones are put above them, and stay
 * there, if somebody wants that and looks at the top of the table; otherwise they wait.
 */
export function useLive(
  projectId: string,
  table: Table,
  view: View,
  state: TableState,
  { loaded, loadedAt, isReloading, isOn, isHeld, onReady }: LiveOptions,
) {
  const parameters = tailParameters(table, view.selection, askedFor(state)).toString()
  const live = useTail(projectId, table, parameters, isOn, onReady)
  const [isScrolled, setScrolled] = useState(false)
  const canStream = isNewestFirst(state)
  const streams = usePreference(livePreference) === 'stream' && canStream && !isScrolled && !isHeld
  const asOf = view.asOf.getTime()
  const [shownAsOf, setShownAsOf] = useState(asOf)
  if (shownAsOf !== asOf) {
    setShownAsOf(asOf)
    live.onShown() // all rows are loaded anew
  }
  const askedAt = useRef(loadedAt)
  const onReload = useEffectEvent((isBegin: boolean) => {
    if (isBegin) live.onAsked()
    // Rows that could not be loaded, or that others were loaded instead of, are as old as before.
    else if (loadedAt !== askedAt.current) live.onAnswered()
    askedAt.current = loadedAt
  })
  // Rows are loaded outside React.
  useEffect(() => onReload(isReloading), [isReloading])
  const onScroll = (top: number) => setScrolled(top > 0)
  if (!isOn || loaded === undefined) return { rows: loaded, pill: undefined, onScroll }
  const { streamed, rows, waiting } = withFresh(
    table,
    loaded,
    live.fresh,
    canStream ? live.streamed : nothingYet.streamed,
  )
  if (streams && waiting.length > 0) live.onStreamed([...waiting, ...streamed])
  return {
    rows: [...streamed, ...rows],
    pill: {
      count: waiting.length,
      isMore: live.skipped > 0,
      line: live.line,
      canStream,
      onShow: view.refresh,
    },
    onScroll,
  }
}

function isNewestFirst(state: TableState): boolean {
  return !state.sort || (state.sort.column === 'startTime' && state.sort.direction === 'desc')
}
