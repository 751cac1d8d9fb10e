import { useQuery } from '@tanstack/react-query'
import { projectApi, projectKey, unwrap, useChange } from '@/shared/api'
import type { NewScoreConfig, ScoreConfigChange } from '../model/scoring'

/** All configs, including archived ones. */
export function useScoreConfigs(projectId: string) {
  return useQuery({
    queryKey: projectKey(projectId, 'scoreConfigs'),
    queryFn: async ({ signal }) => {
      const read = (page: number) =>
        unwrap(
          projectApi(projectId).GET('/score-configs', {
            params: { query: { page, limit: 100 } },
            signal,
          }),
        )
      const found = await read(1)
      const all = [...found.data]
      for (let page = 2; page <= found.meta.totalPages; page += 1)
        all.push(...(await read(page)).data)
      return all
    },
  })
}

export function useCreateScoreConfig(projectId: string) {
  return useChange([projectKey(projectId, 'scoreConfigs')], (body: NewScoreConfig) =>
    unwrap(projectApi(projectId).POST('/score-configs', { body })),
  )
}

export function useChangeScoreConfig(projectId: string) {
  return useChange(
    [projectKey(projectId, 'scoreConfigs')],
    ({ configId, change }: { configId: string; change: ScoreConfigChange }) =>
      unwrap(
        projectApi(projectId).PATCH('/score-configs/{configId}', {
          params: { path: { configId } },
          body: change,
        }),
      ),
  )
}
