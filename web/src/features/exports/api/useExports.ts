import { useMutation, useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query'
import {
  ApiError,
  projectApi,
  projectKey,
  unwrap,
  useChange,
  type PublicComponents,
} from '@/shared/api'
import { createProgress, openToast, toast, type Progress } from '@/shared/ui'
import { isOpen, progressOf, tableLabel } from '../model/state'

export type Export = PublicComponents['schemas']['Export']
export type NewExport = PublicComponents['schemas']['NewExport']

/** The poll interval while exports are running, in milliseconds. */
const every = 2000

/** The exports of a project. Polls until all of them are finished. */
export function useExports(projectId: string) {
  return useQuery({
    queryKey: projectKey(projectId, 'exports'),
    queryFn: async ({ signal }) =>
      (await unwrap(projectApi(projectId).GET('/exports', { signal }))).data,
    refetchInterval: ({ state }) => (state.data?.some(isOpen) ? every : false),
  })
}

/** Starts an export and notifies the user when the file is ready, whatever page is open by then. */
export function useCreateExport(projectId: string, onShow: () => void) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: NewExport) => unwrap(projectApi(projectId).POST('/exports', { body })),
    onSuccess: (created) => {
      const progress = createProgress(progressOf(created))
      const close = openToast(`Exporting ${tableLabel(created.table).toLowerCase()}`, {
        tone: 'neutral',
        progress,
      })
      void watch(client, projectId, created.id, progress, onShow).finally(close)
      return client.invalidateQueries({ queryKey: projectKey(projectId, 'exports') })
    },
  })
}

async function watch(
  client: QueryClient,
  projectId: string,
  exportId: string,
  progress: Progress,
  onShow: () => void,
): Promise<void> {
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, every))
    const now = await unwrap(
      projectApi(projectId).GET('/exports/{exportId}', {
        params: { path: { exportId } },
      }),
    ).catch((error: unknown) => (error instanceof ApiError && error.isTemporary ? 'later' : 'gone'))
    if (now === 'gone') return // deleted, or signed out
    if (now === 'later') continue
    if (isOpen(now)) {
      progress.set(progressOf(now))
      continue
    }
    await client.invalidateQueries({ queryKey: projectKey(projectId, 'exports') })
    if (now.state === 'done')
      toast('The export is ready', {
        link:
          now.downloadUrl === null
            ? undefined
            : { label: 'Download', href: now.downloadUrl, fileName: now.fileName },
        action: { label: 'Show exports', onAction: onShow },
      })
    if (now.state === 'failed')
      toast('The export failed', { tone: 'danger', description: now.error ?? undefined })
    return
  }
}

export function useCancelExport(projectId: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (exportId: string) =>
      unwrap(
        projectApi(projectId).POST('/exports/{exportId}/cancel', {
          params: { path: { exportId } },
        }),
      ),
    onSettled: () => client.invalidateQueries({ queryKey: projectKey(projectId, 'exports') }),
  })
}

export function useDeleteExport(projectId: string) {
  return useChange([projectKey(projectId, 'exports')], (exportId: string) =>
    unwrap(
      projectApi(projectId).DELETE('/exports/{exportId}', {
        params: { path: { exportId } },
      }),
    ),
  )
}
