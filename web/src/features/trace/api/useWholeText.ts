import { useQuery } from '@tanstack/react-query'
import { ui, unwrap } from '@/api'
import type { TextField } from '../model/wire'
import { traceKey } from './useTree'

type TextAddress = { projectId: string; traceId: string; observationId: string; field: TextField }

/** A text from a byte on. */
export function fetchText(
  { projectId, traceId, observationId, field }: TextAddress,
  from: number,
  signal: AbortSignal,
): Promise<string> {
  return unwrap(
    ui.GET('/api/ui/projects/{projectId}/observations/{observationId}/io/{field}', {
      params: {
        path: { projectId, observationId, field },
        query: { traceId },
        header: from > 0 ? { Range: `bytes=${from}-` } : undefined,
      },
      parseAs: 'text',
      signal,
    }),
  )
}

/** The whole of a text whose beginning is there already; asked for when somebody wants it. */
export function useWholeText(address: TextAddress, beginning: string, isWanted: boolean) {
  return useQuery({
    queryKey: [
      ...traceKey(address.projectId, address.traceId),
      'text',
      address.observationId,
      address.field,
    ],
    queryFn: async ({ signal }) => {
      const known = new TextEncoder().encode(beginning).length
      return beginning + (await fetchText(address, known, signal))
    },
    enabled: isWanted,
    staleTime: Infinity,
  })
}
