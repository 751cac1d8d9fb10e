import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import {
  projectApi,
  projectKey,
  unwrap,
  useChange,
  type PublicComponents,
  type UiComponents,
} from '@/shared/api'
import type { ItemSelection, ObjectType } from '../model/queue'

const pageSize = 50

/** A page of the queues after another, with their numbers of items. */
export function useQueueHeads(projectId: string, search: string | undefined) {
  return useInfiniteQuery({
    queryKey: projectKey(projectId, 'queues', 'list', search),
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) =>
      unwrap(
        projectApi(projectId).POST('/query/annotation-queues', {
          body: { search, cursor: pageParam, limit: pageSize },
          signal,
        }),
      ),
    getNextPageParam: (last) => last.cursor ?? undefined,
    placeholderData: keepPreviousData,
  })
}

/** One queue. */
export function useQueue(projectId: string, queueId: string, isEnabled = true) {
  return useQuery({
    queryKey: projectKey(projectId, 'queues', 'one', queueId),
    enabled: isEnabled,
    queryFn: ({ signal }) =>
      unwrap(
        projectApi(projectId).GET('/annotation-queues/{queueId}', {
          params: { path: { queueId } },
          signal,
        }),
      ),
  })
}

type QueueDraft = Required<UiComponents['schemas']['QueueChange']>

export function useCreateQueue(projectId: string) {
  return useChange([projectKey(projectId, 'queues')], (body: QueueDraft) =>
    unwrap(
      projectApi(projectId).POST('/annotation-queues', {
        body: {
          ...body,
          description: body.description.trim() === '' ? null : body.description,
        } satisfies PublicComponents['schemas']['NewAnnotationQueue'],
      }),
    ),
  )
}

export function useChangeQueue(projectId: string) {
  return useChange(
    [projectKey(projectId, 'queues')],
    ({ queueId, change }: { queueId: string; change: QueueDraft }) =>
      unwrap(
        projectApi(projectId).PATCH('/annotation-queues/{queueId}', {
          params: { path: { queueId } },
          body: change,
        }),
      ),
  )
}

export function useDeleteQueue(projectId: string) {
  return useChange([projectKey(projectId, 'queues', 'list')], (queueId: string) =>
    unwrap(
      projectApi(projectId).DELETE('/annotation-queues/{queueId}', {
        params: { path: { queueId } },
      }),
    ),
  )
}

/** Who is assigned to a queue. */
export function useAssignees(projectId: string, queueId: string) {
  return useQuery({
    queryKey: projectKey(projectId, 'queues', 'people', queueId),
    queryFn: async ({ signal }) => {
      const { people } = await unwrap(
        projectApi(projectId).GET('/annotation-queues/{queueId}/assignments', {
          params: { path: { queueId } },
          signal,
        }),
      )
      return people
    },
  })
}

/** Assigns somebody to a queue, or no longer. */
export function useAssign(projectId: string, queueId: string) {
  return useChange(
    [projectKey(projectId, 'queues')],
    ({ userId, isAssigned }: { userId: string; isAssigned: boolean }): Promise<unknown> => {
      const request = { params: { path: { queueId } }, body: { userId } }
      const api = projectApi(projectId)
      return isAssigned
        ? unwrap(api.POST('/annotation-queues/{queueId}/assignments', request))
        : unwrap(api.DELETE('/annotation-queues/{queueId}/assignments', request))
    },
  )
}

/** A page of the items after another. */
export function useQueueItems(projectId: string, queueId: string, selection: ItemSelection) {
  return useInfiniteQuery({
    queryKey: projectKey(projectId, 'queues', 'items', queueId, selection),
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) =>
      unwrap(
        projectApi(projectId).POST('/annotation-queues/{queueId}/items/query', {
          params: { path: { queueId } },
          body: { ...selection, cursor: pageParam, limit: pageSize },
          signal,
        }),
      ),
    getNextPageParam: (last) => last.cursor ?? undefined,
    placeholderData: keepPreviousData,
  })
}

/** Adds objects one after another; what was added before a failure stays. Returns how many that were. */
export function useAddItems(projectId: string, queueId: string) {
  return useChange(
    [projectKey(projectId, 'queues')],
    async ({ objectType, ids }: { objectType: ObjectType; ids: readonly string[] }) => {
      const failed: { id: string; error: unknown }[] = []
      for (const objectId of ids)
        try {
          await unwrap(
            projectApi(projectId).POST('/annotation-queues/{queueId}/items', {
              params: { path: { queueId } },
              body: { objectType, objectId, status: 'PENDING' },
            }),
          )
        } catch (error) {
          failed.push({ id: objectId, error })
        }
      return failed
    },
  )
}

export function useRemoveItem(projectId: string, queueId: string) {
  return useChange([projectKey(projectId, 'queues')], (itemId: string) =>
    unwrap(
      projectApi(projectId).DELETE('/annotation-queues/{queueId}/items/{itemId}', {
        params: { path: { queueId, itemId } },
      }),
    ),
  )
}

/** Makes a completed item pending again, or a pending one completed. */
export function useSetStatus(projectId: string, queueId: string) {
  return useChange(
    [projectKey(projectId, 'queues')],
    ({ itemId, status }: { itemId: string; status: 'PENDING' | 'COMPLETED' }) =>
      unwrap(
        projectApi(projectId).PATCH('/annotation-queues/{queueId}/items/{itemId}', {
          params: { path: { queueId, itemId } },
          body: { status },
        }),
      ),
  )
}
