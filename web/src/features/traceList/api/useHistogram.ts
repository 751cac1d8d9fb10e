import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { projectApi, projectKey, unwrap } from '@/shared/api'
import type { Selection } from '../model/view'

const buckets = 100

/** The number of observations over time, up to a point in time. */
export function useHistogram(
  projectId: string,
  selection: Selection,
  asOf: Date,
  isEnabled: boolean,
) {
  const body = { ...selection, to: selection.to ?? asOf.toISOString(), buckets }
  return useQuery({
    queryKey: projectKey(projectId, 'rows', 'histogram', body),
    enabled: isEnabled,
    staleTime: 30_000,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      unwrap(
        projectApi(projectId).POST('/query/histogram', {
          body,
          signal,
        }),
      ),
  })
}
