import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { projectApi, projectKey, unwrap, useChange, type PublicComponents } from '@/shared/api'

export type Model = PublicComponents['schemas']['Model']
export type NewModel = PublicComponents['schemas']['NewModel']

const pageSize = 100

/** All models: the built-in ones and the project's own. */
export function useModels(projectId: string) {
  return useQuery({
    queryKey: projectKey(projectId, 'models'),
    staleTime: 60_000,
    queryFn: async ({ signal }) => {
      const read = (page: number) =>
        unwrap(
          projectApi(projectId).GET('/models', {
            params: { query: { page, limit: pageSize } },
            signal,
          }),
        )
      const first = await read(1)
      const rest = await Promise.all(
        Array.from({ length: Math.max(0, first.meta.totalPages - 1) }, (_, index) =>
          read(index + 2),
        ),
      )
      return [first, ...rest].flatMap((page) => page.data)
    },
  })
}

export function useModel(projectId: string, modelId: string, isEnabled = true) {
  return useQuery({
    enabled: isEnabled,
    queryKey: projectKey(projectId, 'models', modelId),
    queryFn: ({ signal }) =>
      unwrap(
        projectApi(projectId).GET('/models/{modelId}', {
          params: { path: { modelId } },
          signal,
        }),
      ),
  })
}

/** Creates a definition, or replaces the one with the id. */
export function useSaveModel(projectId: string, modelId: string | undefined) {
  return useChange([projectKey(projectId, 'models')], (body: NewModel) =>
    unwrap(
      modelId === undefined
        ? projectApi(projectId).POST('/models', { body })
        : projectApi(projectId).PUT('/models/{modelId}', {
            params: { path: { modelId } },
            body,
          }),
    ),
  )
}

export function useDeleteModel(projectId: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (modelId: string) =>
      unwrap(
        projectApi(projectId).DELETE('/models/{modelId}', {
          params: { path: { modelId } },
        }),
      ),
    onSuccess: (_, modelId) => {
      client.removeQueries({ queryKey: projectKey(projectId, 'models', modelId) })
      return client.invalidateQueries({ queryKey: projectKey(projectId, 'models') })
    },
  })
}
