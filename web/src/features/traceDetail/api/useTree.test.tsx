import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { renderHook, waitFor } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { wireTree, type Span } from '../model/testing'
import { useTree } from './useTree'

test('a trace is sent again only if it has changed', async () => {
  let stored: Span[] = [{ id: 'a', start: 0, end: 1 }]
  const statuses: number[] = []
  vi.stubGlobal('fetch', async ({ headers }: Request) => {
    const etag = `"v${stored.length}"`
    const isKnown = headers.get('If-None-Match') === etag
    statuses.push(isKnown ? 304 : 200)
    if (isKnown) return new Response(null, { status: 304, headers: { ETag: etag } })
    return Response.json(wireTree(stored), { headers: { ETag: etag } })
  })
  const { result } = renderHook(() => useTree('p', 't1'), {
    wrapper: ({ children }) => (
      <QueryClientProvider client={new QueryClient()}>{children}</QueryClientProvider>
    ),
  })
  await waitFor(() => expect(result.current.data?.tree.ids).toEqual(['a']))
  const before = result.current.data
  await result.current.refetch()
  expect(result.current.data).toBe(before)
  stored = [...stored, { id: 'b', start: 1, end: 2 }]
  await result.current.refetch()
  await waitFor(() => expect(result.current.data?.tree.ids).toEqual(['a', 'b']))
  expect(statuses).toEqual([200, 304, 200])
})
