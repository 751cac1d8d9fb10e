import type { QueryClient } from '@tanstack/react-query'
import { can, findProject, sessionQuery } from '@/shared/currentUser'
import type { Table } from '../model/view'
import { prefetch, questionAt } from './rowsAhead'

/**
 * Requests the rows of a table whose page is opened, beside its code, if the user may see them. Until the session has
 * arrived nobody knows; the rows of a first visit are requested anyway.
 */
export function prefetchRows(
  client: QueryClient,
  projectId: string,
  table: Table,
  search: string,
): void {
  const session = client.getQueryData(sessionQuery.queryKey)
  if (!session || !can(findProject(session, projectId)?.project, 'traces:read')) return
  const { key, load } = questionAt(projectId, table, search)
  prefetch(client, key, load)
}
