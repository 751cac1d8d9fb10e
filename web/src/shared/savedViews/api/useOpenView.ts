import { useEffect, useEffectEvent, useState } from 'react'
import { useSearchState } from '@/shared/lib/useSearchState'
import { readHistoryState, writeHistoryState } from '@/shared/lib/historyState'
import { addressOf, isChanged, viewToOpen, type Address } from '../model/savedView'
import { useSavedViews, type SavedView } from './useSavedViews'

/** The view named in the URL, whether it was changed since, and functions to open another. */
export function useOpenView(projectId: string, table: SavedView['table']) {
  const [search, change] = useSearchState()
  const address: Address = search
  const { data: views, error } = useSavedViews(projectId)
  // The view of a table is applied once per history entry, and not again on the way back to it: whoever removes the
  // last condition wants to see everything. `opened` holds the applied view and, during navigation to another view, the
  // previous one as well.
  const entry = JSON.stringify(address)
  const [entered, setEntered] = useState(entry)
  const [opened, setOpened] = useState(() => [readHistoryState<string>('view') ?? ''])
  if (entered !== entry) {
    setEntered(entry)
    setOpened([readHistoryState<string>('view') ?? opened.at(-1) ?? ''])
  }
  const viewId = typeof address.viewId === 'string' ? address.viewId : ''
  const keyOf = (id: string) => `${projectId} ${table} ${id}`
  const key = keyOf(viewId)
  const isOpened = opened.includes(key)
  const found = views && !isOpened ? viewToOpen(views, table, address) : undefined
  const isThere = found?.id === viewId && !isChanged(found, address)
  const wanted = isThere ? undefined : found
  if (views && !wanted && !isOpened) setOpened([key])

  const go = (to: Address, replace = false) => change(to, { replace })
  const show = useEffectEvent((view: SavedView) => {
    const { dateRange, ...rest } = addressOf(view)
    const hasTime = typeof address.dateRange === 'string' && address.dateRange !== ''
    go({ ...rest, ...(!hasTime && dateRange !== undefined && { dateRange }) }, true)
  })

  // The URL is outside React: if it names only a view, or nothing, the parameters of the view are written to it.
  useEffect(() => {
    if (wanted) show(wanted)
  }, [wanted])

  // So is the history, whose entries remember the view.
  const keepOpened = useEffectEvent((_entry: string) => writeHistoryState('view', key))
  useEffect(() => {
    if (isOpened) keepOpened(entry)
  }, [isOpened, entry])

  const current = views?.find((view) => view.id === viewId && view.table === table)
  return {
    views: (views ?? []).filter((view) => view.table === table),
    error,
    /** The URL names a view that does not exist or belongs to someone else. */
    isMissing: views !== undefined && viewId !== '' && current === undefined,
    current,
    isChanged: current !== undefined && isOpened && isChanged(current, address),
    address,
    open: (view: SavedView) => {
      setOpened([key, keyOf(view.id)])
      go(addressOf(view))
    },
    leave: () => {
      setOpened([key, keyOf('')])
      go({ viewId: undefined })
    },
    /** Writes the id of a view that matches the URL already. */
    name: (id: string) => {
      setOpened([key, keyOf(id)])
      go({ viewId: id }, true)
    },
  }
}
