import { useInfiniteQuery, useQueryClient, type InfiniteData } from '@tanstack/react-query'
import { readConversationText, type Message } from '@/shared/io'
import type { TurnMessages } from '../model/transcript'
import type { Detail } from '../model/wire'
import { detailQuery } from './useDetail'
import { fetchText } from './useWholeText'
import { traceKey } from '@/shared/api'

const perPage = 20
/** Texts longer than this many bytes are cut. */
const longest = 4_000_000

export type MessagesOf = Omit<TurnMessages, 'row'> & { detail: Detail; isCut: boolean }

/** The messages of these observations, a few at a time. useFollow refetches them when there are more observations. */
export function useTurnMessages(projectId: string, traceId: string, ids: readonly string[]) {
  const client = useQueryClient()
  const queryKey = traceKey(projectId, traceId, 'turnMessages')
  return useInfiniteQuery({
    queryKey,
    initialPageParam: 0,
    queryFn: ({ pageParam, signal }) => {
      const pages = client.getQueryData<InfiniteData<MessagesOf[]>>(queryKey)?.pages ?? []
      const before = new Map(pages.flat().map((each) => [each.detail.id, each]))
      return Promise.all(
        ids.slice(pageParam, pageParam + perPage).map(async (id): Promise<MessagesOf> => {
          const detail = await client.fetchQuery(detailQuery(projectId, traceId, id))
          const known = before.get(id)
          // Do not read long texts again without need.
          if (known?.detail === detail) return known
          const input = await read(projectId, detail, 'input', signal)
          const output = await read(projectId, detail, 'output', signal)
          return {
            detail,
            input: input.messages,
            output: output.messages,
            isCut: input.isCut || output.isCut,
          }
        }),
      )
    },
    getNextPageParam: (_, __, last) => (last + perPage < ids.length ? last + perPage : undefined),
    staleTime: 30_000,
  })
}

async function read(
  projectId: string,
  detail: Detail,
  field: 'input' | 'output',
  signal: AbortSignal,
): Promise<{ messages: Message[]; isCut: boolean }> {
  let text = detail.texts[field]
  if (text === null) return { messages: [], isCut: false }
  const cut = detail.cut[field]
  const isCut = cut !== undefined && cut.bytes > longest
  if (cut && !isCut)
    // The new part of a turn is at the end of its input.
    text = await fetchText(
      { projectId, traceId: detail.traceId, observationId: detail.id, field },
      0,
      signal,
    )
  const conversation = readConversationText(text, isCut)
  if (conversation) return { messages: conversation.messages, isCut }
  return { messages: [plain(text, field)], isCut }
}

/** A value that is not a conversation becomes a single message. */
function plain(text: string, field: 'input' | 'output'): Message {
  const role = field === 'input' ? 'user' : 'assistant'
  const isJson = /^\s*[[{]/.test(text)
  return {
    role,
    parts: [isJson ? { kind: 'other', json: text } : { kind: 'text', text: unquoted(text) }],
  }
}

function unquoted(text: string): string {
  if (!text.startsWith('"')) return text
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'string' ? value : text
  } catch {
    return text
  }
}
