import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { inboxKey, ui, unwrap, useChange, type UiComponents } from '@/shared/api'

export type InboxEntry = UiComponents['schemas']['InboxEntry']

const betweenLooks = 60_000
const notModified = 304

type Unread = { unread: number; etag: string | undefined }

/** How much of the inbox is unread. It is looked at again now and then, and when the page comes back to the front. */
export function useUnread(): number {
  const { data } = useQuery({
    queryKey: [...inboxKey, 'unread'],
    queryFn: async ({ signal, client, queryKey }): Promise<Unread> => {
      const before = client.getQueryData<Unread>(queryKey)
      const asked = ui.GET('/api/ui/inbox', {
        params: { query: { limit: 1 } },
        headers: before?.etag === undefined ? {} : { 'If-None-Match': before.etag },
        signal,
      })
      const status = await asked.then(({ response }) => response.status).catch(() => undefined)
      if (before && status === notModified) return before
      const { unread } = await unwrap(asked)
      return { unread, etag: (await asked).response.headers.get('ETag') ?? undefined }
    },
    refetchInterval: betweenLooks,
    refetchOnWindowFocus: 'always',
    // The first page has more important things to wait for, and a bell without a number is no error.
    retry: false,
  })
  return data?.unread ?? 0
}

/** The entries of the inbox, newest first. */
export function useInbox() {
  return useInfiniteQuery({
    queryKey: [...inboxKey, 'entries'],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) =>
      unwrap(
        ui.GET('/api/ui/inbox', { params: { query: { limit: 50, cursor: pageParam } }, signal }),
      ),
    getNextPageParam: (last) => last.meta.cursor,
    refetchOnWindowFocus: 'always',
  })
}

/** Marks entries as read: some, or all up to one. */
export function useReadInbox() {
  return useChange([inboxKey], (body: { ids: string[] } | { upTo: string }) =>
    unwrap(ui.POST('/api/ui/inbox/read', { body })),
  )
}
