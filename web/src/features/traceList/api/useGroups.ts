import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { ui, unwrap } from '@/shared/api'
import type { Selection } from '../model/view'

const most = 100

/** The selected rows grouped by a column. */
export function useGroups(projectId: string, selection: Selection, by: string) {
  return useQuery({
    queryKey: ['project', projectId, 'groups', selection, by],
    staleTime: 30_000,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      unwrap(
        ui.POST('/api/ui/projects/{projectId}/query/groups', {
          params: { path: { projectId } },
          body: { ...selection, by, limit: most },
          signal,
        }),
      ),
  })
}
