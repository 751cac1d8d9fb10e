import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { projectApi, projectKey, unwrap, type UiComponents } from '@/shared/api'
import type { EntitiesOrder } from '@/shared/entityLists'
import type { Scope } from '@/shared/scope'

export type SessionRow = UiComponents['schemas']['SessionRow']

type Asked = {
  scope: Partial<Scope>
  search?: string
  order?: EntitiesOrder
  /** Only the sessions of this user. */
  userId?: string
}

/** Sessions with their totals, page by page. The previous rows stay until the new ones arrive. */
export function useSessions(projectId: string, { scope, search, order, userId }: Asked) {
  return useInfiniteQuery({
    queryKey: projectKey(projectId, 'entities', 'sessions', scope, search, order, userId),
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) =>
      unwrap(
        projectApi(projectId).POST('/query/sessions', {
          body: {
            ...scope,
            ...(search !== undefined && search !== '' && { search }),
            ...(order && { order }),
            ...(userId !== undefined && {
              filter: [{ type: 'string', column: 'userId', operator: '=', value: userId }],
            }),
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
