import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { projectApi, projectKey, unwrap, type UiComponents } from '@/shared/api'
import type { EntitiesOrder } from '@/shared/entityLists'
import type { Scope } from '@/shared/scope'

export type UserRow = UiComponents['schemas']['UserRow']

/** Users with their totals, page by page. The previous rows stay until the new ones arrive. */
export function useUsers(
  projectId: string,
  scope: Scope,
  search: string,
  order: EntitiesOrder | undefined,
) {
  return useInfiniteQuery({
    queryKey: projectKey(projectId, 'entities', 'users', scope, search, order),
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) =>
      unwrap(
        projectApi(projectId).POST('/query/users', {
          body: {
            ...scope,
            ...(search !== '' && { search }),
            ...(order && { order }),
            cursor: pageParam,
            limit: pageParam === undefined ? 50 : 200,
          },
          signal,
        }),
      ),
    getNextPageParam: (last) => last.cursor ?? undefined,
    placeholderData: keepPreviousData,
    staleTime: 30_000,
  })
}
