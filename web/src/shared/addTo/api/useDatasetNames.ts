import { useQuery } from '@tanstack/react-query'
import { projectApi, projectKey, unwrap } from '@/shared/api'

/** The names of the project's datasets. */
export function useDatasetNames(projectId: string) {
  return useQuery({
    queryKey: projectKey(projectId, 'datasets'),
    queryFn: async ({ signal }) => {
      const names: string[] = []
      for (let page = 1; ; page++) {
        const { data, meta } = await unwrap(
          projectApi(projectId).GET('/v2/datasets', {
            params: { query: { page, limit: 100 } },
            signal,
          }),
        )
        names.push(...data.map(({ name }) => name))
        if (page >= meta.totalPages) return names
      }
    },
  })
}
