import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { usePreference } from '@/shared/lib/preference'
import type { TableState } from '@/shared/table'
import { nothingYet, tailParameters, withFresh } from '../model/live'
import { livePreference } from '../model/livePreference'
import { rowOptionsOf } from '../model/question'
import type { Row } from '../model/rows'
import type { Table } from '../model/view'
import { useTail } from './useTail'
import type { TraceQuery } from './useTraceQuery'

type LiveOptions = {
  loaded: Row[] | undefined
  /** When they were loaded, and whether all of them are being refetched. */
  loadedAt: number
  isReloading: boolean
  isOn: boolean
  /** Nothing may move while a row is open. */
  isHeld: boolean
  /** From now on everything that is stored arrives; rows loaded before may be incomplete. */
  onReady: () => void
}

/**
 * The rows of a table together with those that arrive. Shown rows are updated in place. New rows are added at the top,
 * and stay there, if the user has chosen that and has not scrolled down; otherwise they wait.
 */
export function useLive(
  projectId: string,
  table: Table,
  view: TraceQuery,
  state: TableState,
  { loaded, loadedAt, isReloading, isOn, isHeld, onReady }: LiveOptions,
) {
  const parameters = tailParameters(table, view.selection, rowOptionsOf(state)).toString()
  const live = useTail(projectId, table, parameters, isOn, onReady)
  const [isScrolled, setScrolled] = useState(false)
  const canStream = isNewestFirst(state)
  const streams = usePreference(livePreference) === 'stream' && canStream && !isScrolled && !isHeld
  const asOf = view.asOf.getTime()
  const [shownAsOf, setShownAsOf] = useState(asOf)
  if (shownAsOf !== asOf) {
    setShownAsOf(asOf)
    live.onShown() // all rows are reloaded
  }
  const askedAt = useRef(loadedAt)
  const onReload = useEffectEvent((isBegin: boolean) => {
    if (isBegin) live.onAsked()
    // If loading failed or was superseded, the rows are as old as before.
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
      connection: live.connection,
      canStream,
      onShow: view.refresh,
    },
    onScroll,
  }
}

function isNewestFirst(state: TableState): boolean {
  return !state.sort || (state.sort.column === 'startTime' && state.sort.direction === 'desc')
}
