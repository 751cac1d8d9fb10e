import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import {
  projectApi,
  projectKey,
  unwrap,
  type PublicComponents,
  type UiComponents,
} from '@/shared/api'
import type { Scope } from '@/shared/scope'

export type TraceRow = UiComponents['schemas']['TraceRow']
export type Score = PublicComponents['schemas']['ScoreV3']
export type TraceOrder = {
  column: 'startTime' | 'latency' | 'totalCost' | 'totalTokens'
  direction: 'asc' | 'desc'
}

const ofUser = (id: string) => ({
  filter: [{ type: 'string', column: 'userId', operator: '=', value: id }],
})

/** The totals of a user in a range; null if the user has no observations there. */
export function useUserTotals(projectId: string, id: string, scope: Scope) {
  return useQuery({
    queryKey: projectKey(projectId, 'entities', 'user', id, 'totals', scope),
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      const { rows } = await unwrap(
        projectApi(projectId).POST('/query/users', {
          body: { ...scope, ...ofUser(id), limit: 2 },
          signal,
        }),
      )
      return rows.find((row) => row.id === id) ?? null
    },
  })
}

function loadTraces(
  projectId: string,
  id: string,
  scope: Scope,
  page: { cursor?: string; limit: number; order?: TraceOrder },
  signal: AbortSignal,
) {
  return unwrap(
    projectApi(projectId).POST('/query/traces', {
      body: { ...scope, ...ofUser(id), ...page, scores: false },
      signal,
    }),
  )
}

/** The traces of a user, page by page. */
export function useUserTraces(
  projectId: string,
  id: string,
  scope: Scope,
  order: TraceOrder | undefined,
) {
  return useInfiniteQuery({
    queryKey: projectKey(projectId, 'entities', 'user', id, 'traces', scope, order),
    initialPageParam: undefined as string | undefined,
    placeholderData: keepPreviousData,
    queryFn: ({ pageParam, signal }) =>
      loadTraces(
        projectId,
        id,
        scope,
        { cursor: pageParam, limit: pageParam === undefined ? 50 : 200, order },
        signal,
      ),
    getNextPageParam: (last) => last.cursor ?? undefined,
  })
}

/** The number of newest traces whose scores are loaded. */
export const tracesWithScores = 100

/** The scores of a user's newest traces. Scores refer to traces, not users, so they are requested by trace. */
export function useUserScores(projectId: string, id: string, scope: Scope, isEnabled: boolean) {
  return useQuery({
    queryKey: projectKey(projectId, 'entities', 'user', id, 'scores', scope),
    enabled: isEnabled,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      const { rows, cursor } = await loadTraces(
        projectId,
        id,
        scope,
        { limit: tracesWithScores },
        signal,
      )
      // The parameter is a comma-separated list.
      const ids = rows.map((row) => row.traceId).filter((each) => !each.includes(','))
      if (ids.length === 0) return { scores: [], isWhole: true }
      const { data, meta } = await unwrap(
        projectApi(projectId).GET('/v3/scores', {
          params: { query: { traceId: ids.join(','), limit: 100, fields: 'details,subject' } },
          signal,
        }),
      )
      return { scores: data, isWhole: cursor === null && meta.cursor === undefined }
    },
  })
}
