import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { projectApi, projectKey, unwrap, type UiComponents } from '@/shared/api'

export type Experiment = UiComponents['schemas']['ListedExperiment']
export type Measure = UiComponents['schemas']['ExperimentMeasure']
export type MeanScore = UiComponents['schemas']['MeanScore']

/** The newest experiments with their figures. */
export function useExperiments(projectId: string, datasetId: string, search: string) {
  return useQuery({
    queryKey: projectKey(projectId, 'experiments', 'list', datasetId, search),
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      unwrap(
        projectApi(projectId).POST('/query/experiments', {
          body: {
            ...(datasetId !== '' && { datasetId }),
            ...(search !== '' && { search }),
          },
          signal,
        }),
      ),
  })
}

/** The names of datasets by id; of a project with very many, the newest. */
export function useDatasetNames(projectId: string, isEnabled: boolean) {
  return useQuery({
    queryKey: projectKey(projectId, 'datasets', 'names'),
    enabled: isEnabled,
    queryFn: async ({ signal }) => {
      const { data } = await unwrap(
        projectApi(projectId).GET('/v2/datasets', { params: { query: { limit: 100 } }, signal }),
      )
      return new Map(data.map((dataset) => [dataset.id, dataset.name]))
    },
  })
}
