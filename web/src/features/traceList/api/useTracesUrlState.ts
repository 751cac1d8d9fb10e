import { linkOptions } from '@tanstack/react-router'
import { useSearchState } from '@/shared/lib/useSearchState'
import { decodeComparing, encodeComparing, type Comparing } from '../model/compare'
import { observationOf } from '../model/found'
import { encodeFilter, type Query } from '../model/query'
import { encodeList } from '../model/listAddress'
import { observationRowId, type Row } from '../model/rows'
import { termOf } from '../model/termOf'
import type { Table } from '../model/view'

/** The table state in the URL beyond the query: the open row, grouping, comparison, live mode. */
export function useTracesUrlState(table: Table, query: Query) {
  const [search, change] = useSearchState()
  const peek = search.peek || undefined
  const observation = search.observation || undefined
  const term = termOf(query)
  /** This list, for the pages of its rows. */
  const listOf = (asOf: Date, row: string | undefined) =>
    encodeList({ table, search, asOf, row: table === 'observations' ? row : undefined })
  return {
    peek,
    observation,
    find: search.find || undefined,
    scoring: search.scoring || undefined,
    openId:
      peek === undefined
        ? undefined
        : table === 'traces'
          ? peek
          : observationRowId(peek, observation ?? ''),
    group: search.group || undefined,
    comparing: decodeComparing(search.compare),
    isLive: search.live === '1',
    /** Opens a row, where what was searched for is found. Stepping from one to the next creates no history entries. */
    open: (row: Row) =>
      change(
        {
          peek: row.traceId,
          observation: observationOf(table, row),
          ...(term !== undefined && { find: term }),
        },
        { replace: peek !== undefined },
      ),
    listOf,
    /** The page of a row's trace. */
    pageOf: (projectId: string, row: Row, asOf: Date) =>
      linkOptions({
        to: '/project/$projectId/traces/$traceId',
        params: { projectId, traceId: row.traceId },
        search: {
          observation: observationOf(table, row),
          find: term,
          list: listOf(asOf, row.id),
        },
      }),
    close: () => change({ peek: undefined, observation: undefined, find: undefined }),
    setGroup: (column: string | undefined) => change({ group: column, compare: undefined }),
    compare: (comparing: Comparing | undefined) =>
      change({ compare: comparing && encodeComparing(comparing), group: undefined }),
    setLive: (isLive: boolean) => change({ live: isLive ? '1' : undefined }, { replace: true }),
    /** Shows the rows of a query, instead of groups or differences. */
    narrow: (query: Query) =>
      change({
        filter: encodeFilter(query.conditions),
        search: query.search === '' ? undefined : query.search,
        group: undefined,
        compare: undefined,
      }),
  }
}
