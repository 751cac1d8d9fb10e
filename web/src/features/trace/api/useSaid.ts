import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { readConversationText, type Message } from '@/io'
import type { Said } from '../model/transcript'
import type { Detail } from '../model/wire'
import { detailQuery } from './useDetail'
import { traceKey } from './useTree'
import { fetchText } from './useWholeText'

const perPage = 20
/** Longer texts are read as far as this. */
const longest = 4_000_000

export type SaidBy = Said & { detail: Detail; isCut: boolean }

/** What the observations of these rows say, a few at a time. */
export function useSaid(
  projectId: string,
  traceId: string,
  rows: readonly { row: number; id: string }[],
) {
  const client = useQueryClient()
  return useInfiniteQuery({
    queryKey: [...traceKey(projectId, traceId), 'said', rows.length, rows.at(-1)?.id],
    initialPageParam: 0,
    queryFn: ({ pageParam, signal }) =>
      Promise.all(
        rows.slice(pageParam, pageParam + perPage).map(async ({ row, id }): Promise<SaidBy> => {
          const detail = await client.fetchQuery(detailQuery(projectId, traceId, id))
          const input = await read(projectId, detail, 'input', signal)
          const output = await read(projectId, detail, 'output', signal)
          return {
            row,
            detail,
            input: input.messages,
            output: output.messages,
            isCut: input.isCut || output.isCut,
          }
        }),
      ),
    getNextPageParam: (_, __, last) => (last + perPage < rows.length ? last + perPage : undefined),
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
    // What is new in a turn stands at the end of its input.
    text = await fetchText(
      { projectId, traceId: detail.traceId, observationId: detail.id, field },
      0,
      signal,
    )
  const conversation = readConversationText(text, isCut)
  if (conversation) return { messages: conversation.messages, isCut }
  return { messages: [plain(text, field)], isCut }
}

/** A value that is no conversation is said as it is. */
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
