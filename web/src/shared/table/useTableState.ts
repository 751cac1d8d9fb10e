import { useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import {
  decodeTableState,
  encodeTableState,
  tableSearchEntries,
  type TableSearch,
  type TableState,
} from './tableState'

/**
 * The table state in the URL and a function to change it. Sorting creates a history entry; widths and columns replace
 * it.
 */
export function useTableState(): [TableState, (next: TableState) => void] {
  const search = useSearch({ strict: false })
  const navigate = useNavigate()
  const state = useMemo(() => decodeTableState(pick(search)), [search])
  const setState = (next: TableState) => {
    const sortChanged = encodeTableState(next).sort !== encodeTableState(state).sort
    void navigate({
      to: '.',
      search: (before: object) => ({ ...before, ...encodeTableState(next) }),
      hash: true,
      replace: !sortChanged,
      resetScroll: false,
    })
  }
  return [state, setState]
}

function pick(search: object): TableSearch {
  const found: TableSearch = {}
  for (const [name, value] of Object.entries(search)) {
    if (name in tableSearchEntries && typeof value === 'string')
      found[name as keyof TableSearch] = value
  }
  return found
}
