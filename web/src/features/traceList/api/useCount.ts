import { useQuery } from '@tanstack/react-query'
import { projectApi, projectKey, unwrap } from '@/shared/api'
import type { Selection, Table } from '../model/view'

/** The number of rows that match a selection. */
export function useCount(
  projectId: string,
  table: Table,
  selection: Selection,
  isEnabled: boolean,
) {
  return useQuery({
    queryKey: projectKey(projectId, 'rows', 'count', table, selection),
    enabled: isEnabled,
    staleTime: 30_000,
    queryFn: ({ signal }) => loadCount(projectId, table, selection, signal),
  })
}

export function loadCount(
  projectId: string,
  table: Table,
  selection: Selection,
  signal: AbortSignal,
) {
  return unwrap(
    projectApi(projectId).POST('/query/count', {
      body: { ...selection, of: table },
      signal,
    }),
  )
}
