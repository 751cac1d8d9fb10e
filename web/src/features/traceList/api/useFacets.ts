import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { ui, unwrap } from '@/shared/api'
import type { Selection } from '../model/view'

/** The values of columns with their counts. */
export function useFacets(
  projectId: string,
  selection: Selection,
  columns: string[],
  isEnabled: boolean,
) {
  return useQuery({
    queryKey: ['project', projectId, 'facets', selection, columns],
    enabled: isEnabled && columns.length > 0,
    staleTime: 30_000,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      unwrap(
        ui.POST('/api/ui/projects/{projectId}/query/facets', {
          params: { path: { projectId } },
          body: { ...selection, columns, limit: 10 },
          signal,
        }),
      ),
  })
}
