import { useMemo } from 'react'
import { useSearchState } from '@/shared/lib/useSearchState'
import { decodeTableState, encodeTableState, type TableState } from './tableState'

/**
 * The table state in the URL and a function to change it. Sorting creates a history entry; widths and columns replace
 * it.
 */
export function useTableState(): [TableState, (next: TableState) => void] {
  const [search, change] = useSearchState()
  const state = useMemo(() => decodeTableState(search), [search])
  const setState = (next: TableState) => {
    const encoded = encodeTableState(next)
    change(encoded, { replace: encoded.sort === encodeTableState(state).sort })
  }
  return [state, setState]
}
