import { useQuery } from '@tanstack/react-query'
import { projectApi, projectKey, unwrap, type UiComponents } from '@/shared/api'

export type Models = UiComponents['schemas']['LlmModels']

/** The models of the project's connections, and the one that is used where none is chosen. */
export function useModels(projectId: string) {
  return useQuery({
    queryKey: projectKey(projectId, 'connections', 'models'),
    queryFn: ({ signal }) => unwrap(projectApi(projectId).GET('/llm-models', { signal })),
  })
}
