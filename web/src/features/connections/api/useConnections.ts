import { useMutation, useQuery } from '@tanstack/react-query'
import {
  projectApi,
  projectKey,
  unwrap,
  useChange,
  type PublicComponents,
  type UiComponents,
} from '@/shared/api'

export type Connection = PublicComponents['schemas']['LlmConnection']
export type NewConnection = PublicComponents['schemas']['NewLlmConnection']
export type ConnectionTest = UiComponents['schemas']['TestLLMConnection']

export function useConnections(projectId: string) {
  return useQuery({
    queryKey: projectKey(projectId, 'connections'),
    queryFn: async ({ signal }) => {
      const answer = projectApi(projectId).GET('/llm-connections', {
        params: { query: { limit: 100 } },
        signal,
      })
      return (await unwrap(answer)).data
    },
  })
}

/** Creates the connection to a provider, or replaces it. */
export function useSaveConnection(projectId: string) {
  return useChange([projectKey(projectId, 'connections')], (body: NewConnection) =>
    unwrap(projectApi(projectId).PUT('/llm-connections', { body })),
  )
}

export function useDeleteConnection(projectId: string) {
  return useChange([projectKey(projectId, 'connections')], (connectionId: string) =>
    unwrap(
      projectApi(projectId).DELETE('/llm-connections/{connectionId}', {
        params: { path: { connectionId } },
      }),
    ),
  )
}

/** Makes a short call to a model, with a stored connection or one that is not stored yet. */
export function useTestConnection(projectId: string) {
  return useMutation({
    mutationFn: (body: ConnectionTest) =>
      unwrap(
        projectApi(projectId).POST('/llm-connections/test', {
          body,
        }),
      ),
  })
}
