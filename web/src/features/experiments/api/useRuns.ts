import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import {
  projectApi,
  projectKey,
  unwrap,
  useChange,
  useRefresh,
  type UiComponents,
} from '@/shared/api'
import { endedCalls, isOpen } from '../model/progress'

type Schemas = UiComponents['schemas']
export type ServerRun = Schemas['ExperimentRun']
export type NewExperiments = Schemas['NewExperiments']
export type Estimates = Schemas['ExperimentEstimates']

/**
 * The experiments that the server runs or has run, newest first. Polls often while one of them runs or is about to, and
 * refreshes the lists in which their results are.
 */
export function useServerRuns(projectId: string, datasetId: string, isEnabled: boolean) {
  const client = useQueryClient()
  const queryKey = projectKey(projectId, 'experiments', 'runs', datasetId)
  return useQuery({
    queryKey,
    enabled: isEnabled,
    queryFn: async ({ signal }) => {
      const { experiments } = await unwrap(
        projectApi(projectId).GET('/experiment-runs', {
          params: { query: { ...(datasetId !== '' && { datasetId }) } },
          signal,
        }),
      )
      const before = client.getQueryData<ServerRun[]>(queryKey)
      if (before && endedCalls(before) !== endedCalls(experiments)) {
        void client.invalidateQueries({ queryKey: projectKey(projectId, 'experiments', 'list') })
        void client.invalidateQueries({ queryKey: projectKey(projectId, 'datasets', 'runs') })
      }
      return experiments
    },
    refetchInterval: ({ state }) => (state.data?.some(isOpen) ? 2000 : 30_000),
  })
}

export function useStartRuns(projectId: string) {
  return useChange([projectKey(projectId, 'experiments')], (body: NewExperiments) =>
    unwrap(projectApi(projectId).POST('/experiment-runs', { body })),
  )
}

export function useEstimate(projectId: string) {
  return useMutation({
    mutationFn: (body: NewExperiments) =>
      unwrap(projectApi(projectId).POST('/experiment-runs/estimate', { body })),
  })
}

export type RunChange = 'pause' | 'resume' | 'cancel' | 'retry'

export function useChangeRun(projectId: string) {
  const refresh = useRefresh(projectId)
  return useMutation({
    mutationFn: ({ runId, change }: { runId: string; change: RunChange }) =>
      unwrap(
        projectApi(projectId).POST(`/experiment-runs/{runId}/${change}`, {
          params: { path: { runId } },
        }),
      ),
    onSettled: () => refresh('experiments', 'jobs'),
  })
}

/** The names of a hundred prompts, and whether these are all; with a name, whether there is such a prompt. */
export function usePromptNames(projectId: string, name: string, isEnabled: boolean) {
  return useQuery({
    queryKey: projectKey(projectId, 'prompts', 'names', name),
    enabled: isEnabled,
    staleTime: 30_000,
    queryFn: async ({ signal }) => {
      const { data, meta } = await unwrap(
        projectApi(projectId).GET('/v2/prompts', {
          params: { query: { limit: 100, ...(name !== '' && { name }) } },
          signal,
        }),
      )
      return { names: data.map((prompt) => prompt.name), isWhole: meta.totalPages <= 1 }
    },
  })
}
