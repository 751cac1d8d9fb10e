import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { projectApi, projectKey, unwrap } from '@/shared/api'
import type { Scope } from '@/shared/scope'
import { metricsQuery, type MetricsQuestion } from '../model/query'

export type MetricsRow = Record<string, unknown>

/**
 * The query options of a metrics question. When the range changes, the previous result stays until the next one
 * arrives.
 */
export function metricsOptions(
  projectId: string,
  question: MetricsQuestion,
  range: { from: Date; to: Date },
  environment: Scope['environment'],
) {
  const query = metricsQuery(question, range, environment)
  return {
    queryKey: projectKey(projectId, 'metrics', query),
    staleTime: 30_000,
    placeholderData: keepPreviousData<MetricsRow[]>,
    queryFn: async ({ signal }: { signal: AbortSignal }): Promise<MetricsRow[]> => {
      const { data } = await unwrap(
        projectApi(projectId).GET('/v2/metrics', {
          params: { query: { query } },
          signal,
        }),
      )
      return data
    },
  }
}

/** Computes metrics over the rows of a range. */
export function useMetrics(
  projectId: string,
  question: MetricsQuestion,
  range: { from: Date; to: Date },
  environment: Scope['environment'],
  enabled = true,
) {
  return useQuery({ ...metricsOptions(projectId, question, range, environment), enabled })
}
