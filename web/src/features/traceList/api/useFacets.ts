import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { projectApi, projectKey, unwrap } from '@/shared/api'
import type { Selection } from '../model/view'

/** The values of columns with their counts. */
export function useFacets(
  projectId: string,
  selection: Selection,
  columns: string[],
  isEnabled: boolean,
) {
  return useQuery({
    queryKey: projectKey(projectId, 'rows', 'facets', selection, columns),
    enabled: isEnabled && columns.length > 0,
    staleTime: 30_000,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      unwrap(
        projectApi(projectId).POST('/query/facets', {
          body: { ...selection, columns, limit: 10 },
          signal,
        }),
      ),
  })
}
