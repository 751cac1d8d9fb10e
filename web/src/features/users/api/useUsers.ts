import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { projectApi, projectKey, unwrap, type UiComponents } from '@/shared/api'
import type { EntitiesOrder, EntitySelection } from '@/shared/entityLists'

export type UserRow = UiComponents['schemas']['UserRow']

/** Users with their totals, page by page. The previous rows stay until the new ones arrive. */
export function useUsers(
  projectId: string,
  selection: EntitySelection,
  order: EntitiesOrder | undefined,
  scores: boolean,
) {
  return useInfiniteQuery({
    queryKey: projectKey(projectId, 'entities', 'users', selection, order, scores),
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) =>
      unwrap(
        projectApi(projectId).POST('/query/users', {
          body: {
            ...selection,
            ...(order && { order }),
            ...(scores && { scores }),
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
