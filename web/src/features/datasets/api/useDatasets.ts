import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { projectApi, projectKey, unwrap, useChange, type UiComponents } from '@/shared/api'
import type { Order, Selection } from '../model/browse'

type Schemas = UiComponents['schemas']

const pageSize = 100

/** A page of the list after another. The previous rows stay until the new ones arrive. */
export function useDatasets(projectId: string, selection: Selection, order: Order | undefined) {
  return useInfiniteQuery({
    queryKey: projectKey(projectId, 'datasets', 'list', selection, order),
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) =>
      unwrap(
        projectApi(projectId).POST('/query/datasets', {
          body: { ...selection, ...(order && { sort: order }), cursor: pageParam, limit: pageSize },
          signal,
        }),
      ),
    getNextPageParam: (last) => last.cursor ?? undefined,
    placeholderData: keepPreviousData,
    staleTime: 10_000,
  })
}

/** A dataset with its schemas. It is not kept: an edit begins with what the server has. */
export function useDataset(projectId: string, datasetId: string) {
  return useQuery({
    queryKey: projectKey(projectId, 'datasets', 'details', datasetId),
    gcTime: 0,
    queryFn: ({ signal }) =>
      unwrap(
        projectApi(projectId).GET('/datasets/{datasetId}/details', {
          params: { path: { datasetId } },
          signal,
        }),
      ),
  })
}

export function useCreateDataset(projectId: string) {
  return useChange([projectKey(projectId, 'datasets')], (body: Schemas['DatasetChange']) =>
    unwrap(projectApi(projectId).POST('/datasets/create', { body })),
  )
}

export function useChangeDataset(projectId: string) {
  return useChange(
    [projectKey(projectId, 'datasets')],
    ({ datasetId, change }: { datasetId: string; change: Schemas['DatasetChange'] }) =>
      unwrap(
        projectApi(projectId).PATCH('/datasets/{datasetId}', {
          params: { path: { datasetId } },
          body: change,
        }),
      ),
  )
}

export function useDeleteDataset(projectId: string) {
  return useChange([projectKey(projectId, 'datasets', 'list')], (datasetId: string) =>
    unwrap(
      projectApi(projectId).DELETE('/datasets/{datasetId}', { params: { path: { datasetId } } }),
    ),
  )
}
