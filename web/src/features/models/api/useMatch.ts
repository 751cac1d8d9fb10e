import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { projectApi, projectKey, unwrap } from '@/shared/api'

/**
 * The definition that a name matches. The query key is below that of the models, so that changing them refetches it.
 */
export function useMatch(projectId: string, modelName: string) {
  return useQuery({
    queryKey: projectKey(projectId, 'models', 'match', modelName),
    enabled: modelName !== '',
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      unwrap(
        projectApi(projectId).POST('/models/match', {
          body: { modelName },
          signal,
        }),
      ),
  })
}

/** Names of recently seen models that have no price. */
export function useUnpriced(projectId: string) {
  return useQuery({
    queryKey: projectKey(projectId, 'models', 'unpriced'),
    staleTime: 30_000,
    queryFn: ({ signal }) =>
      unwrap(
        projectApi(projectId).GET('/models/unpriced', {
          signal,
        }),
      ),
  })
}
