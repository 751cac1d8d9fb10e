import { keepPreviousData, useInfiniteQuery, useQueries } from '@tanstack/react-query'
import { projectApi, projectKey, unwrap } from '@/shared/api'
import type { Condition } from '@/shared/query'
import type { Score } from '@/shared/scoring'
import type { Scope } from '@/shared/scope'
import type { TableState } from '@/shared/table'

/** What a list of scores shows, as the server takes it; exports take the same. */
export type ScoreSelection = Scope & { filter?: Condition[] }

const perPage = 100
const columns = ['timestamp', 'value'] as const

/** Scores in the order of the table, page by page. The previous rows stay until the new ones arrive. */
export function useScoreList(projectId: string, selection: ScoreSelection, { sort }: TableState) {
  const column = columns.find((each) => each === sort?.column)
  const order = column && sort ? { column, direction: sort.direction } : undefined
  return useInfiniteQuery({
    queryKey: projectKey(projectId, 'scores', 'list', selection, order),
    initialPageParam: undefined as string | undefined,
    queryFn: async ({ pageParam, signal }) => {
      const body = { ...selection, order, cursor: pageParam, limit: perPage }
      const page = await unwrap(projectApi(projectId).POST('/query/scores', { body, signal }))
      // They are as in the public API, which describes them.
      return { rows: page.data as unknown as Score[], cursor: page.cursor }
    },
    getNextPageParam: (last) => last.cursor ?? undefined,
    placeholderData: keepPreviousData,
  })
}

/**
 * The names of the traces of scores, by trace id. They are requested page by page after the scores, which do not wait
 * for them.
 */
export function useTraceNames(
  projectId: string,
  pages: readonly { rows: readonly Score[] }[],
  isEnabled: boolean,
): ReadonlyMap<string, string> {
  return useQueries({
    queries: pages.map(({ rows }) => {
      const ids = [...new Set(rows.flatMap(({ subject }) => traceOf(subject) ?? []))].toSorted()
      return {
        queryKey: projectKey(projectId, 'rows', 'traceNames', ids),
        enabled: isEnabled && ids.length > 0,
        staleTime: 5 * 60_000,
        queryFn: ({ signal }: { signal: AbortSignal }) =>
          unwrap(
            projectApi(projectId).POST('/query/traces', {
              body: {
                filter: [
                  { type: 'stringOptions', column: 'traceId', operator: 'any of', value: ids },
                ],
                conditionsOn: 'traces',
                limit: perPage,
                scores: false,
              },
              signal,
            }),
          ),
      }
    }),
    combine: (found) =>
      new Map(
        found.flatMap(({ data }) =>
          (data?.rows ?? []).map((row): [string, string] => [
            row.traceId,
            row.traceName || row.name || '',
          ]),
        ),
      ),
  })
}

/** The trace of what was scored. */
export function traceOf(subject: Score['subject']): string | undefined {
  return subject?.kind === 'trace' ? subject.id : subject?.traceId
}
