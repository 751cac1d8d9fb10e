import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { projectApi, projectKey, unwrap } from '@/shared/api'
import type { Selection } from '../model/view'

const maxGroups = 100

/** The selected rows grouped by a column. */
export function useGroups(projectId: string, selection: Selection, by: string) {
  return useQuery({
    queryKey: projectKey(projectId, 'rows', 'groups', selection, by),
    staleTime: 30_000,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      unwrap(
        projectApi(projectId).POST('/query/groups', {
          body: { ...selection, by, limit: maxGroups },
          signal,
        }),
      ),
  })
}
