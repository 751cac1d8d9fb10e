import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { projectApi, ui, unwrap, type PublicComponents, type UiComponents } from '@/shared/api'

export type Connection = PublicComponents['schemas']['LlmConnection']
export type NewConnection = PublicComponents['schemas']['NewLlmConnection']
export type ConnectionTest = UiComponents['schemas']['TestLLMConnection']

const connectionsKey = (projectId: string) => ['project', projectId, 'llm-connections']

export function useConnections(projectId: string) {
  return useQuery({
    queryKey: connectionsKey(projectId),
    queryFn: async ({ signal }) => {
      const answer = projectApi(projectId).GET('/api/public/llm-connections', {
        params: { query: { limit: 100 } },
        signal,
      })
      return (await unwrap(answer)).data
    },
  })
}

/** Creates the connection to a provider, or replaces it. */
export function useSaveConnection(projectId: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: NewConnection) =>
      unwrap(projectApi(projectId).PUT('/api/public/llm-connections', { body })),
    onSuccess: () => client.invalidateQueries({ queryKey: connectionsKey(projectId) }),
  })
}

export function useDeleteConnection(projectId: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (connectionId: string) =>
      unwrap(
        projectApi(projectId).DELETE('/api/public/llm-connections/{connectionId}', {
          params: { path: { connectionId } },
        }),
      ),
    onSuccess: () => client.invalidateQueries({ queryKey: connectionsKey(projectId) }),
  })
}

/** Makes a short call to a model, with a stored connection or one that is not stored yet. */
export function useTestConnection(projectId: string) {
  return useMutation({
    mutationFn: (body: ConnectionTest) =>
      unwrap(
        ui.POST('/api/ui/projects/{projectId}/llm-connections/test', {
          params: { path: { projectId } },
          body,
        }),
      ),
  })
}
