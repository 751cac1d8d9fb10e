import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { ui, unwrap } from '@/shared/api'

/**
 * The definition that a name matches. The query key is below that of the models, so that changing them refetches it.
 */
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

/** Names of recently seen models that have no price. */
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
