import { useQuery } from '@tanstack/react-query'
import { projectApi, projectKey, unwrap } from '@/shared/api'
import type { Selection } from '../model/view'

/** The values that set a selection apart from a baseline. */
export function useDifferences(projectId: string, selection: Selection, baseline: Selection) {
  return useQuery({
    queryKey: projectKey(projectId, 'rows', 'differences', selection, baseline),
    staleTime: 30_000,
    queryFn: ({ signal }) =>
      unwrap(
        projectApi(projectId).POST('/query/differences', {
          body: { selection, baseline },
          signal,
        }),
      ),
  })
}
