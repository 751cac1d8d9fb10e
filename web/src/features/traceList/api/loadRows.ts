import { projectApi, projectKey, unwrap } from '@/shared/api'
import type { RowOptions } from '../model/question'
import type { Row } from '../model/rows'
import type { Selection, Table } from '../model/view'

export type RowsPage = { rows: Row[]; cursor: string | null; searchedBack: string | null }

/** The number of rows of the first page, which is to be seen soon. */
export const firstPage = 50

export function rowsKey(projectId: string, table: Table, selection: Selection, asked: RowOptions) {
  return projectKey(projectId, 'rows', 'list', table, selection, asked)
}

/** One page of either table. */
export function loadRows(
  projectId: string,
  table: Table,
  body: Selection & RowOptions & { cursor?: string; limit: number },
  signal?: AbortSignal,
): Promise<RowsPage> {
  const options = {
    body: { ...body, scores: body.scores ?? false },
    signal,
  }
  return table === 'traces'
    ? unwrap(projectApi(projectId).POST('/query/traces', options))
    : unwrap(projectApi(projectId).POST('/query/observations', options))
}
