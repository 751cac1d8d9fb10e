import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { ui, unwrap, type UiComponents } from '@/shared/api'
import type { OwnersOrder } from '@/shared/entityLists'
import type { Scope } from '@/shared/scope'

export type UserRow = UiComponents['schemas']['UserRow']

/** Users with their totals, page by page. The previous rows stay until the new ones arrive. */
export function useUsers(
  projectId: string,
  scope: Scope,
  search: string,
  order: OwnersOrder | undefined,
) {
  return useInfiniteQuery({
    queryKey: ['project', projectId, 'users', scope, search, order],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) =>
      unwrap(
        ui.POST('/api/ui/projects/{projectId}/query/users', {
          params: { path: { projectId } },
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
