import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { projectApi, projectKey, scopesOfScores, unwrap, useRefresh } from '@/shared/api'
import type { ItemReview } from '../model/review'

const perform = { gcTime: 0, staleTime: Infinity, retry: false } as const

/** The next item of a queue, which is then the user's: asking again returns the same. It is never taken from memory. */
export function useNext(projectId: string, queueId: string, isSkipped: boolean) {
  return useQuery({
    ...perform,
    queryKey: projectKey(projectId, 'reviews', 'next', queueId, isSkipped),
    refetchOnMount: 'always',
    queryFn: ({ signal }) =>
      unwrap(
        projectApi(projectId).POST('/annotation-queues/{queueId}/next', {
          params: { path: { queueId } },
          body: { skipped: isSkipped },
          signal,
        }),
      ),
  })
}

function open(projectId: string, queueId: string, itemId: string, signal?: AbortSignal) {
  return unwrap(
    projectApi(projectId).POST('/annotation-queues/{queueId}/items/{itemId}/open', {
      params: { path: { queueId, itemId } },
      ...(signal && { signal }),
    }),
  )
}

/** An item, which nobody else gets from now on, with what the user said about it before. */
export function useOpened(projectId: string, queueId: string, itemId: string) {
  return useQuery({
    ...perform,
    queryKey: projectKey(projectId, 'reviews', 'item', queueId, itemId),
    refetchOnMount: 'always',
    queryFn: ({ signal }) => open(projectId, queueId, itemId, signal),
  })
}

/** Keeps an item that is open. */
export function renew(projectId: string, queueId: string, itemId: string) {
  return unwrap(
    projectApi(projectId).POST('/annotation-queues/{queueId}/items/{itemId}/renew', {
      params: { path: { queueId, itemId } },
    }),
  )
}

/** Lets others have an item, also while the page is being left. */
export function release(projectId: string, queueId: string, itemId: string) {
  return unwrap(
    projectApi(projectId).POST('/annotation-queues/{queueId}/items/{itemId}/release', {
      params: { path: { queueId, itemId } },
      keepalive: true,
    }),
  )
}

/** Stores a review and completes its item. It can be repeated. */
export function useComplete(projectId: string, queueId: string, itemId: string) {
  const refresh = useRefresh(projectId)
  return useMutation({
    mutationFn: (body: ItemReview) =>
      unwrap(
        projectApi(projectId).POST('/annotation-queues/{queueId}/items/{itemId}/complete', {
          params: { path: { queueId, itemId } },
          body,
        }),
      ),
    // Nobody has to wait for the pages that show it.
    onSuccess: () => void refresh('queues', 'comments', ...scopesOfScores),
  })
}

/** Leaves an item to others, or for later. */
export function useSkip(projectId: string, queueId: string, itemId: string) {
  const refresh = useRefresh(projectId)
  return useMutation({
    mutationFn: (reason: string) =>
      unwrap(
        projectApi(projectId).POST('/annotation-queues/{queueId}/items/{itemId}/skip', {
          params: { path: { queueId, itemId } },
          body: { reason },
        }),
      ),
    onSuccess: () => void refresh('queues'),
  })
}

/** Takes back that the user completed an item: they have it again, and it is pending. */
export function useTakeBack(projectId: string, queueId: string, userId: string) {
  const refresh = useRefresh(projectId)
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (itemId: string) => {
      // First it is theirs: otherwise somebody else could get it in between.
      const { item } = await open(projectId, queueId, itemId)
      if (item?.status !== 'COMPLETED' || item.completedBy !== userId) return
      await unwrap(
        projectApi(projectId).PATCH('/annotation-queues/{queueId}/items/{itemId}', {
          params: { path: { queueId, itemId } },
          body: { status: 'PENDING' },
        }),
      )
    },
    onSuccess: (_, itemId) => {
      client.removeQueries({ queryKey: projectKey(projectId, 'reviews', 'item', queueId, itemId) })
      void refresh('queues')
    },
  })
}
