import { partialMatchKey, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { projectApi, traceKey, unwrap } from '@/shared/api'
import type { Detail, TextField } from '../model/wire'

type TextAddress = { projectId: string; traceId: string; observationId: string; field: TextField }

/** A text from a byte offset on. */
export function fetchText(
  { projectId, traceId, observationId, field }: TextAddress,
  from: number,
  signal: AbortSignal,
): Promise<string> {
  return unwrap(
    projectApi(projectId).GET('/observations/{observationId}/io/{field}', {
      params: {
        path: { observationId, field },
        query: { traceId },
        header: from > 0 ? { Range: `bytes=${from}-` } : undefined,
      },
      parseAs: 'text',
      signal,
    }),
  )
}

/**
 * A full text whose beginning is already known. It is loaded on demand, and again when its observation has changed; the
 * previous text stays until then.
 */
export function useWholeText(
  address: TextAddress,
  { updatedAt, beginning }: { updatedAt: string; beginning: string },
  isWanted: boolean,
) {
  const client = useQueryClient()
  const key = textKey(address)
  const options = queryOptions({
    queryKey: [...key, updatedAt],
    queryFn: async ({ signal }) => {
      const known = new TextEncoder().encode(beginning).length
      return beginning + (await fetchText(address, known, signal))
    },
    staleTime: Infinity,
  })
  const whole = useQuery({
    ...options,
    placeholderData: (before: string | undefined, query) =>
      isWanted && query && partialMatchKey(query.queryKey, key) ? before : undefined,
    enabled: isWanted,
  })
  return { whole, load: () => client.fetchQuery(options) }
}

/** All texts of an observation in full. Those that are cut are loaded on demand. */
export function useWholeTexts(projectId: string, detail: Detail, isWanted: boolean) {
  const client = useQueryClient()
  const { id, traceId, updatedAt } = detail
  const options = queryOptions({
    queryKey: traceKey(projectId, traceId, 'texts', id, updatedAt),
    queryFn: async ({ signal }) => {
      const texts = { ...detail.texts }
      for (const field of Object.keys(detail.cut) as TextField[]) {
        const address = { projectId, traceId, observationId: id, field }
        texts[field] = await fetchText(address, 0, signal)
      }
      return texts
    },
    staleTime: Infinity,
  })
  const whole = useQuery({ ...options, enabled: isWanted })
  return { whole, load: () => client.fetchQuery(options) }
}

function textKey({ projectId, traceId, observationId, field }: TextAddress) {
  return traceKey(projectId, traceId, 'text', observationId, field)
}
