import type { QueryClient } from '@tanstack/react-query'
import { partsOf } from '@/shared/lib/paths'
import { parseSearch } from '@/shared/lib/search'
import { momentOf } from '@/shared/scope'
import { decodeTableState } from '@/shared/table'
import { questionOf, rowOptionsOf } from '../model/question'
import { tracesSearchNames, type TracesSearch } from '../search'
import { toSelection, type Table } from '../model/view'
import { firstPage, loadRows, rowsKey, type RowsPage } from './loadRows'

/** The first rows of a table, requested before its page can be rendered. */
export type RowsAhead = { key: readonly unknown[]; page: Promise<RowsPage> }

/**
 * Requests the rows of the table at a path with these parameters, if there is one. It needs no library, and so it can
 * run before any of them: the page, once it is rendered, asks for exactly the same.
 */
export function requestRows(path: string, search: string): RowsAhead | undefined {
  const [project, projectId, table, ...more] = partsOf(path)
  if (project !== 'project' || projectId === undefined || more.length > 0) return undefined
  if (table !== 'traces' && table !== 'observations') return undefined
  const { key, load } = questionAt(projectId, table, search)
  const page = load()
  page.catch(() => {}) // whoever waits for it handles the failure
  return { key, page }
}

/** Puts the rows where the page of the table looks for them. */
export function keepRows(client: QueryClient, { key, page }: RowsAhead): void {
  prefetch(client, key, () => page)
}

export function prefetch(
  client: QueryClient,
  key: readonly unknown[],
  load: () => Promise<RowsPage>,
): void {
  void client.prefetchInfiniteQuery({
    queryKey: key,
    queryFn: load,
    initialPageParam: undefined,
    retry: false, // the page asks again
  })
}

export function questionAt(projectId: string, table: Table, text: string) {
  const found = parseSearch(text)
  const search: TracesSearch = {}
  for (const name of tracesSearchNames) {
    const value = found[name]
    // As the search schemas of the routes have it: one that is given twice counts as empty.
    if (value !== undefined) search[name] = typeof value === 'string' ? value : ''
  }
  const { dateRange, environment } = found
  const {
    query,
    range,
    environment: names,
    resetKey,
  } = questionOf(table, {
    ...search,
    dateRange: typeof dateRange === 'string' ? dateRange : undefined,
    environment,
  })
  const at = new Date(momentOf(resetKey).at)
  const selection = toSelection(table, query, range, names, at)
  const asked = rowOptionsOf(decodeTableState(search))
  return {
    key: rowsKey(projectId, table, selection, asked),
    load: () => loadRows(projectId, table, { ...selection, ...asked, limit: firstPage }),
  }
}
