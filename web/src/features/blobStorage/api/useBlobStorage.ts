import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { ApiError, ui, unwrap, type UiComponents } from '@/shared/api'
import { isBusy } from '../model/status'

export type BlobStorage = UiComponents['schemas']['BlobStorage']
export type BlobStorageRequest = UiComponents['schemas']['BlobStorageRequest']

const blobKey = (projectId: string) => ['project', projectId, 'blob-storage']

/** The project's export settings; null if there are none. */
export function useBlobStorage(projectId: string, isEnabled: boolean) {
  return useQuery<BlobStorage | null>({
    queryKey: blobKey(projectId),
    enabled: isEnabled,
    refetchInterval: (query) => pollInterval(query.state.data),
    queryFn: async ({ signal }): Promise<BlobStorage | null> => {
      try {
        return await unwrap(
          ui.GET('/api/ui/projects/{projectId}/blob-storage', {
            params: { path: { projectId } },
            signal,
          }),
        )
      } catch (error) {
        if (error instanceof ApiError && error.status === 404) return null
        throw error
      }
    },
  })
}

/** The poll interval: a running or queued export changes soon. */
function pollInterval(stored: BlobStorage | null | undefined): number {
  return stored && isBusy(stored) ? 2000 : 30_000
}

export function useRunBlobStorage(projectId: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () =>
      unwrap(
        ui.POST('/api/ui/projects/{projectId}/blob-storage/run', {
          params: { path: { projectId } },
        }),
      ),
    onSuccess: (stored) => client.setQueryData(blobKey(projectId), stored),
  })
}

/** Writes a small object to the bucket and removes it. */
export function useTestBlobStorage(projectId: string) {
  return useMutation({
    mutationFn: () =>
      unwrap(
        ui.POST('/api/ui/projects/{projectId}/blob-storage/test', {
          params: { path: { projectId } },
        }),
      ),
  })
}

/** Makes this installation the one that exports to the bucket. */
export function useTakeOverBlobStorage() {
  return useMutation({
    mutationFn: (projectId: string) =>
      unwrap(
        ui.POST('/api/ui/projects/{projectId}/blob-storage/take-over', {
          params: { path: { projectId } },
        }),
      ),
  })
}

export function useSaveBlobStorage(projectId: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: BlobStorageRequest) =>
      unwrap(
        ui.PUT('/api/ui/projects/{projectId}/blob-storage', {
          params: { path: { projectId } },
          body,
        }),
      ),
    onSuccess: (saved) => client.setQueryData(blobKey(projectId), saved),
  })
}

export function useDeleteBlobStorage() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (projectId: string) =>
      unwrap(
        ui.DELETE('/api/ui/projects/{projectId}/blob-storage', {
          params: { path: { projectId } },
        }),
      ),
    onSuccess: (_, projectId) => client.setQueryData(blobKey(projectId), null),
  })
}
