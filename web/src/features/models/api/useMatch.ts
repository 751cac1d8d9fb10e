import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { ui, unwrap } from '@/api'

/** Which definition a name matches. It belongs to the models, so that a change of them asks again. */
export function useMatch(projectId: string, modelName: string) {
  return useQuery({
    queryKey: ['project', projectId, 'models', 'match', modelName],
    enabled: modelName !== '',
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      unwrap(
        ui.POST('/api/ui/projects/{projectId}/models/match', {
          params: { path: { projectId } },
          body: { modelName },
          signal,
        }),
      ),
  })
}

/** Names of models that were seen lately and have no price. */
export function useUnpriced(projectId: string) {
  return useQuery({
    queryKey: ['project', projectId, 'models', 'unpriced'],
    staleTime: 30_000,
    queryFn: ({ signal }) =>
      unwrap(
        ui.GET('/api/ui/projects/{projectId}/models/unpriced', {
          params: { path: { projectId } },
          signal,
        }),
      ),
  })
}
