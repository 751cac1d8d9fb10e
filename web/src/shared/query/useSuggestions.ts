import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { projectApi, projectKey, unwrap } from '@/shared/api'

/** Values of a column, metadata keys or score names in the project, the most frequent first. */
export function useSuggestions(
  projectId: string,
  column: string | undefined,
  prefix: string,
  limit = 20,
) {
  return useQuery({
    queryKey: projectKey(projectId, 'rows', 'suggest', column, prefix, limit),
    enabled: column !== undefined,
    staleTime: 60_000,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      const { values } = await unwrap(
        projectApi(projectId).GET('/suggest', {
          params: {
            query: { column: column ?? '', prefix: prefix === '' ? undefined : prefix, limit },
          },
          signal,
        }),
      )
      return { column, values }
    },
  })
}
