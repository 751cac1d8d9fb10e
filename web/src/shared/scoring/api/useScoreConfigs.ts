import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { projectApi, unwrap } from '@/shared/api'
import type { NewScoreConfig, ScoreConfigChange } from '../model/scoring'

const configsKey = (projectId: string) => ['project', projectId, 'score-configs']

/** All configs, including archived ones. */
export function useScoreConfigs(projectId: string) {
  return useQuery({
    queryKey: configsKey(projectId),
    queryFn: async ({ signal }) => {
      const read = (page: number) =>
        unwrap(
          projectApi(projectId).GET('/api/public/score-configs', {
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
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: NewScoreConfig) =>
      unwrap(projectApi(projectId).POST('/api/public/score-configs', { body })),
    onSuccess: () => client.invalidateQueries({ queryKey: configsKey(projectId) }),
  })
}

export function useChangeScoreConfig(projectId: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ configId, change }: { configId: string; change: ScoreConfigChange }) =>
      unwrap(
        projectApi(projectId).PATCH('/api/public/score-configs/{configId}', {
          params: { path: { configId } },
          body: change,
        }),
      ),
    onSuccess: () => client.invalidateQueries({ queryKey: configsKey(projectId) }),
  })
}
