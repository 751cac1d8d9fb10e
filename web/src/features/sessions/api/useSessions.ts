import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { projectApi, projectKey, unwrap, type UiComponents } from '@/shared/api'
import type { EntitiesOrder, EntitySelection } from '@/shared/entityLists'

export type SessionRow = UiComponents['schemas']['SessionRow']

type Asked = {
  selection: Partial<EntitySelection>
  order?: EntitiesOrder
  /** Whether the scores of the sessions are shown. */
  scores?: boolean
}

/** Sessions with their totals, page by page. The previous rows stay until the new ones arrive. */
export function useSessions(projectId: string, { selection, order, scores = false }: Asked) {
  return useInfiniteQuery({
    queryKey: projectKey(projectId, 'entities', 'sessions', selection, order, scores),
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) =>
      unwrap(
        projectApi(projectId).POST('/query/sessions', {
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
