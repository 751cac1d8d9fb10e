import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { ApiError, projectApi, projectKey, unwrap, type UiComponents } from '@/shared/api'
import { isBusy } from '../model/status'

export type BlobStorage = UiComponents['schemas']['BlobStorage']
export type BlobStorageRequest = UiComponents['schemas']['BlobStorageRequest']

/** The project's export settings; null if there are none. */
export function useBlobStorage(projectId: string, isEnabled: boolean) {
  return useQuery<BlobStorage | null>({
    queryKey: projectKey(projectId, 'blobStorage'),
    enabled: isEnabled,
    refetchInterval: (query) => pollInterval(query.state.data),
    queryFn: async ({ signal }): Promise<BlobStorage | null> => {
      try {
        return await unwrap(
          projectApi(projectId).GET('/blob-storage', {
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
    mutationFn: () => unwrap(projectApi(projectId).POST('/blob-storage/run')),
    onSuccess: (stored) => client.setQueryData(projectKey(projectId, 'blobStorage'), stored),
  })
}

/** Writes a small object to the bucket and removes it. */
export function useTestBlobStorage(projectId: string) {
  return useMutation({
    mutationFn: () => unwrap(projectApi(projectId).POST('/blob-storage/test')),
  })
}

/** Makes this installation the one that exports to the bucket. */
export function useTakeOverBlobStorage() {
  return useMutation({
    mutationFn: (projectId: string) =>
      unwrap(projectApi(projectId).POST('/blob-storage/take-over')),
  })
}

export function useSaveBlobStorage(projectId: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: BlobStorageRequest) =>
      unwrap(
        projectApi(projectId).PUT('/blob-storage', {
          body,
        }),
      ),
    onSuccess: (saved) => client.setQueryData(projectKey(projectId, 'blobStorage'), saved),
  })
}

export function useDeleteBlobStorage() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (projectId: string) => unwrap(projectApi(projectId).DELETE('/blob-storage')),
    onSuccess: (_, projectId) => client.setQueryData(projectKey(projectId, 'blobStorage'), null),
  })
}
