import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { projectApi, unwrap, type PublicComponents } from '@/shared/api'

export type Model = PublicComponents['schemas']['Model']
export type NewModel = PublicComponents['schemas']['NewModel']

const modelsKey = (projectId: string) => ['project', projectId, 'models']
const pageSize = 100

/** All models: the built-in ones and the project's own. */
export function useModels(projectId: string) {
  return useQuery({
    queryKey: modelsKey(projectId),
    staleTime: 60_000,
    queryFn: async ({ signal }) => {
      const read = (page: number) =>
        unwrap(
          projectApi(projectId).GET('/api/public/models', {
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
    queryKey: [...modelsKey(projectId), modelId],
    queryFn: ({ signal }) =>
      unwrap(
        projectApi(projectId).GET('/api/public/models/{modelId}', {
          params: { path: { modelId } },
          signal,
        }),
      ),
  })
}

/** Creates a definition, or replaces the one with the id. */
export function useSaveModel(projectId: string, modelId: string | undefined) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: NewModel) =>
      unwrap(
        modelId === undefined
          ? projectApi(projectId).POST('/api/public/models', { body })
          : projectApi(projectId).PUT('/api/public/models/{modelId}', {
              params: { path: { modelId } },
              body,
            }),
      ),
    onSuccess: () => client.invalidateQueries({ queryKey: modelsKey(projectId) }),
  })
}

export function useDeleteModel(projectId: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (modelId: string) =>
      unwrap(
        projectApi(projectId).DELETE('/api/public/models/{modelId}', {
          params: { path: { modelId } },
        }),
      ),
    onSuccess: (_, modelId) => {
      client.removeQueries({ queryKey: [...modelsKey(projectId), modelId] })
      return client.invalidateQueries({ queryKey: modelsKey(projectId) })
    },
  })
}
