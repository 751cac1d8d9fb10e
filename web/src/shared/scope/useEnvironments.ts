import { useQuery } from '@tanstack/react-query'
import { projectApi, projectKey, unwrap } from '@/shared/api'

const lookBack = 30 * 86_400_000
const maxEnvironments = 100

/** The environments of a project's recent observations. */
export function useEnvironments(projectId: string) {
  return useQuery({
    queryKey: projectKey(projectId, 'environments'),
    staleTime: 60_000,
    queryFn: async ({ signal }) => {
      const now = Date.now()
      const query = JSON.stringify({
        view: 'observations',
        metrics: [{ measure: 'count', aggregation: 'count' }],
        dimensions: [{ field: 'environment' }],
        filters: [],
        fromTimestamp: new Date(now - lookBack).toISOString(),
        toTimestamp: new Date(now).toISOString(),
        config: { row_limit: maxEnvironments },
      })
      const { data } = await unwrap(
        projectApi(projectId).GET('/v2/metrics', {
          params: { query: { query } },
          signal,
        }),
      )
      return data
        .map((row) => row.environment)
        .filter((name) => typeof name === 'string' && name !== '')
        .map(String)
        .toSorted()
    },
  })
}
