import { useQuery } from '@tanstack/react-query'
import { rowId, type Row } from '../model/rows'
import type { Selection, Table } from '../model/view'
import { loadRows } from './useRows'

const every = 2_000
const most = 200

/** How many rows have come since the newest that is shown. Asked for again and again while somebody watches. */
export function useNewRows(
  projectId: string,
  table: Table,
  selection: Selection,
  newest: Row | undefined,
  isLive: boolean,
) {
  const since = newest?.startTime ?? selection.from
  const found = useQuery({
    queryKey: ['project', projectId, 'new-rows', table, selection, newest && rowId(table, newest)],
    enabled: isLive,
    refetchInterval: isLive ? every : false,
    staleTime: 0,
    queryFn: async ({ signal }) => {
      const body = { ...selection, from: since, limit: most }
      const { rows } = await loadRows(projectId, table, body, signal)
      const known = newest && rowId(table, newest)
      return rows.filter((row) => rowId(table, row) !== known).length
    },
  })
  return { count: found.data ?? 0, isMore: (found.data ?? 0) >= most - 1 }
}
