import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { projectApi, projectKey, unwrap, useChange, type UiComponents } from '@/shared/api'
import type { ItemSelection } from '../model/items'

type Schemas = UiComponents['schemas']

const pageSize = 50

/** A page of the items after another, with the beginnings of their values. */
export function useItems(projectId: string, datasetId: string, selection: ItemSelection) {
  return useInfiniteQuery({
    queryKey: projectKey(projectId, 'datasets', 'items', datasetId, selection),
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) =>
      unwrap(
        projectApi(projectId).POST('/datasets/{datasetId}/items/query', {
          params: { path: { datasetId } },
          body: { ...selection, cursor: pageParam, limit: pageSize },
          signal,
        }),
      ),
    getNextPageParam: (last) => last.cursor ?? undefined,
    placeholderData: keepPreviousData,
    staleTime: 10_000,
  })
}

/** A whole item, now or as of a time. It is not kept: an edit begins with what the server has. */
export function useItem(projectId: string, datasetId: string, itemId: string, asOf?: string) {
  return useQuery({
    queryKey: projectKey(projectId, 'datasets', 'item', datasetId, itemId, asOf),
    gcTime: 0,
    queryFn: ({ signal }) =>
      unwrap(
        projectApi(projectId).GET('/datasets/{datasetId}/items/{itemId}', {
          params: {
            path: { datasetId, itemId },
            query: { ...(asOf !== undefined && { version: asOf }) },
          },
          signal,
        }),
      ),
  })
}

/** The versions of an item, the newest first: a hundred at a time. */
export function useItemVersions(projectId: string, datasetId: string, itemId: string) {
  return useInfiniteQuery({
    queryKey: projectKey(projectId, 'datasets', 'versions', datasetId, itemId),
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) =>
      unwrap(
        projectApi(projectId).GET('/datasets/{datasetId}/items/{itemId}/versions', {
          params: {
            path: { datasetId, itemId },
            query: { ...(pageParam !== undefined && { before: pageParam }) },
          },
          signal,
        }),
      ),
    getNextPageParam: (last) => (last.hasMore ? last.versions.at(-1)?.at : undefined),
  })
}

/** The last hundred versions of a dataset, the newest first. */
export function useDatasetVersions(projectId: string, datasetId: string) {
  return useQuery({
    queryKey: projectKey(projectId, 'datasets', 'versions', datasetId),
    queryFn: ({ signal }) =>
      unwrap(
        projectApi(projectId).GET('/datasets/{datasetId}/versions', {
          params: { path: { datasetId } },
          signal,
        }),
      ),
  })
}

/** An item as it was written at a time; undefined asks for nothing. */
export function useItemAt(
  projectId: string,
  datasetId: string,
  itemId: string,
  version: string | undefined,
) {
  return useQuery({
    queryKey: projectKey(projectId, 'datasets', 'version', datasetId, itemId, version),
    enabled: version !== undefined,
    staleTime: Infinity, // a version never changes
    queryFn: ({ signal }) =>
      unwrap(
        projectApi(projectId).GET('/datasets/{datasetId}/items/{itemId}', {
          params: {
            path: { datasetId, itemId },
            query: { ...(version !== undefined && { version }) },
          },
          signal,
        }),
      ),
  })
}

/** What an item changes: the list that it is in, and the numbers of the dataset. */
const changed = (projectId: string) => [
  projectKey(projectId, 'datasets', 'list'),
  projectKey(projectId, 'datasets', 'items'),
  projectKey(projectId, 'datasets', 'details'),
  projectKey(projectId, 'datasets', 'versions'),
]

export function useSaveItem(projectId: string, datasetId: string) {
  return useChange(changed(projectId), (body: Schemas['DatasetItemChange']) =>
    unwrap(
      projectApi(projectId).POST('/datasets/{datasetId}/items', {
        params: { path: { datasetId } },
        body,
      }),
    ),
  )
}

export function useDeleteItem(projectId: string) {
  return useChange(changed(projectId), (id: string) =>
    unwrap(projectApi(projectId).DELETE('/dataset-items/{id}', { params: { path: { id } } })),
  )
}

export function useSetItemsStatus(projectId: string, datasetId: string) {
  return useChange(changed(projectId), (body: Schemas['DatasetItemsStatus']) =>
    unwrap(
      projectApi(projectId).POST('/datasets/{datasetId}/items/status', {
        params: { path: { datasetId } },
        body,
      }),
    ),
  )
}

export function useDeleteItems(projectId: string, datasetId: string) {
  return useChange(changed(projectId), (ids: string[]) =>
    unwrap(
      projectApi(projectId).POST('/datasets/{datasetId}/items/delete', {
        params: { path: { datasetId } },
        body: { ids },
      }),
    ),
  )
}
