import { useQuery } from '@tanstack/react-query'
import { projectApi, unwrap } from '@/shared/api'

export const datasetNamesKey = (projectId: string) => ['project', projectId, 'dataset-names']

/** The names of the project's datasets. */
export function useDatasetNames(projectId: string) {
  return useQuery({
    queryKey: datasetNamesKey(projectId),
    queryFn: async ({ signal }) => {
      const names: string[] = []
      for (let page = 1; ; page++) {
        const { data, meta } = await unwrap(
          projectApi(projectId).GET('/api/public/v2/datasets', {
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
