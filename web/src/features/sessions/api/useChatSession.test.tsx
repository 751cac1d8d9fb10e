import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { renderHook, waitFor } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { useTurn, type Detail, type TraceRow } from './useChatSession'

test('what was read of a trace a moment ago is read again with its session: more may have come', async () => {
  vi.stubGlobal('fetch', async () => Response.json({ texts: { output: 'answered' } }))
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: 5_000 } } })
  const key = ['project', 'p', 'trace', 't1', 'detail', 'o1']
  client.setQueryData(key, { texts: { output: null } }, { updatedAt: Date.now() - 10_000 })
  const { result } = renderHook(
    () => useTurn('p', { traceId: 't1', id: 'o1' } as TraceRow, true).data as Detail,
    {
      wrapper: ({ children }) => (
        <QueryClientProvider client={client}>{children}</QueryClientProvider>
      ),
    },
  )
  expect(result.current.texts.output).toBeNull()
  await waitFor(() => expect(result.current.texts.output).toBe('answered'))
})
