import { useQuery } from '@tanstack/react-query'
import { projectApi, projectKey, unwrap } from '@/shared/api'
import { mostRows } from '../model/rows'

/** The names of the project's datasets. */
export function useDatasets(projectId: string) {
  return useQuery({
    queryKey: projectKey(projectId, 'datasets', 'some'),
    queryFn: async ({ signal }) => {
      const answer = projectApi(projectId).GET('/v2/datasets', {
        params: { query: { page: 1, limit: 100 } },
        signal,
      })
      return (await unwrap(answer)).data.map(({ name }) => name)
    },
  })
}

/** The first items of a dataset. */
export function useDatasetItems(projectId: string, dataset: string | null) {
  return useQuery({
    queryKey: projectKey(projectId, 'datasets', 'items', dataset),
    enabled: dataset !== null,
    queryFn: async ({ signal }) => {
      const answer = projectApi(projectId).GET('/dataset-items', {
        params: { query: { datasetName: dataset ?? '', page: 1, limit: mostRows } },
        signal,
      })
      return (await unwrap(answer)).data
    },
  })
}
