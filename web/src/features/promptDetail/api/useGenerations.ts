import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { projectApi, projectKey, unwrap, type UiComponents } from '@/shared/api'
import type { Condition } from '@/shared/lib/filter'
import type { Scope } from '@/shared/scope'

export type GenerationRow = UiComponents['schemas']['ObservationRow']

/** The conditions that the observations of a version meet. */
export function ofVersion(name: string, version: number): Condition[] {
  return [
    { type: 'stringOptions', column: 'promptName', operator: 'any of', value: [name] },
    { type: 'number', column: 'promptVersion', operator: '=', value: version },
  ]
}

/** The observations that used a version, newest first, page by page. */
export function useGenerations(projectId: string, name: string, version: number, scope: Scope) {
  return useInfiniteQuery({
    queryKey: projectKey(projectId, 'rows', 'prompt', name, version, scope),
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) =>
      unwrap(
        projectApi(projectId).POST('/query/observations', {
          body: {
            ...scope,
            filter: ofVersion(name, version),
            cursor: pageParam,
            limit: pageParam === undefined ? 50 : 200,
            scores: false,
          },
          signal,
        }),
      ),
    getNextPageParam: (last) => last.cursor ?? undefined,
    placeholderData: keepPreviousData,
  })
}
