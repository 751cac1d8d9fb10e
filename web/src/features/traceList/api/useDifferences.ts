import { useQuery } from '@tanstack/react-query'
import { ui, unwrap } from '@/shared/api'
import type { Selection } from '../model/view'

/** The values that set a selection apart from a baseline. */
export function useDifferences(projectId: string, selection: Selection, baseline: Selection) {
  return useQuery({
    queryKey: ['project', projectId, 'differences', selection, baseline],
    staleTime: 30_000,
    queryFn: ({ signal }) =>
      unwrap(
        ui.POST('/api/ui/projects/{projectId}/query/differences', {
          params: { path: { projectId } },
          body: { selection, baseline },
          signal,
        }),
      ),
  })
}
