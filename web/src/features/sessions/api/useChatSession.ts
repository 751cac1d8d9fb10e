import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import {
  projectApi,
  projectKey,
  traceKey,
  unwrap,
  type PublicComponents,
  type UiComponents,
} from '@/shared/api'

export type TraceRow = UiComponents['schemas']['TraceRow']
export type Score = PublicComponents['schemas']['ScoreV3']
export type Detail = UiComponents['schemas']['ObservationDetail']

const ofSession = (id: string) => ({
  filter: [{ type: 'string', column: 'sessionId', operator: '=', value: id }],
})

/** The totals of a session over all time; null if no observation belongs to it. */
export function useSessionTotals(projectId: string, id: string) {
  return useQuery({
    queryKey: projectKey(projectId, 'entities', 'session', id, 'totals'),
    queryFn: async ({ signal }) => {
      const { rows } = await unwrap(
        projectApi(projectId).POST('/query/sessions', {
          body: { ...ofSession(id), limit: 2 },
          signal,
        }),
      )
      return rows.find((row) => row.id === id) ?? null
    },
  })
}

/** The traces of a session in order, page by page, with previews and scores. */
export function useSessionTraces(projectId: string, id: string) {
  return useInfiniteQuery({
    queryKey: projectKey(projectId, 'entities', 'session', id, 'traces'),
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) =>
      unwrap(
        projectApi(projectId).POST('/query/traces', {
          body: {
            ...ofSession(id),
            order: { column: 'startTime', direction: 'asc' },
            scores: true,
            cursor: pageParam,
            limit: 50,
          },
          signal,
        }),
      ),
    getNextPageParam: (last) => last.cursor ?? undefined,
  })
}

/** The scores of the session itself; those of its traces are loaded with the traces. */
export function useSessionScores(projectId: string, id: string, isEnabled: boolean) {
  return useQuery({
    queryKey: projectKey(projectId, 'entities', 'session', id, 'scores'),
    enabled: isEnabled,
    queryFn: async ({ signal }) => {
      const { data } = await unwrap(
        projectApi(projectId).GET('/v3/scores', {
          params: { query: { sessionId: id, limit: 100, fields: 'details,subject' } },
          signal,
        }),
      )
      // The parameter is a list: an id with a comma would be read as two.
      return data.filter((score) => score.subject?.id === id)
    },
  })
}

/** The input and output of a trace: those of the observation that represents it. */
export function useTurn(projectId: string, row: TraceRow, isEnabled: boolean) {
  return useQuery({
    queryKey: traceKey(projectId, row.traceId, 'detail', row.id),
    enabled: isEnabled,
    queryFn: ({ signal }) =>
      unwrap(
        projectApi(projectId).GET('/observations/{observationId}/detail', {
          params: {
            path: { observationId: row.id },
            query: { traceId: row.traceId },
          },
          signal,
        }),
      ),
  })
}
