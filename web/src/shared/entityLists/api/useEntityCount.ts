import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { projectApi, projectKey, unwrap } from '@/shared/api'
import type { EntityTable } from '../model/fields'
import type { EntitySelection } from '../useEntityQuery'

/** How many sessions or users a selection has. */
export function useEntityCount(projectId: string, table: EntityTable, selection: EntitySelection) {
  return useQuery({
    queryKey: projectKey(projectId, 'entities', 'count', table, selection),
    staleTime: 30_000,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      unwrap(
        projectApi(projectId).POST('/query/count', { body: { ...selection, of: table }, signal }),
      ),
  })
}
