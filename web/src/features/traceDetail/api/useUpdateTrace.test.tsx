import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, renderHook } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { useUpdateTrace } from './useUpdateTrace'

test('lists, counts and facets are out of date after a trace was marked, other traces are not', async () => {
  vi.stubGlobal('fetch', async () => Response.json({ public: false, bookmarked: true, tags: [] }))
  const client = new QueryClient()
  const keys = {
    tree: ['project', 'p', 'trace', 't1', 'tree'],
    other: ['project', 'p', 'trace', 't2', 'tree'],
    rows: ['project', 'p', 'rows', 'list', 'traces', {}, {}],
    facets: ['project', 'p', 'rows', 'facets', {}, []],
    models: ['project', 'p', 'models'],
    elsewhere: ['project', 'q', 'rows', 'list', 'traces', {}, {}],
  }
  for (const key of Object.values(keys)) client.setQueryData(key, {})
  const { result } = renderHook(() => useUpdateTrace('p', 't1'), {
    wrapper: ({ children }) => (
      <QueryClientProvider client={client}>{children}</QueryClientProvider>
    ),
  })
  await act(() => result.current.mutateAsync({ bookmarked: true }))
  const outdated = Object.entries(keys).filter(
    ([, key]) => client.getQueryState(key)?.isInvalidated,
  )
  expect(outdated.map(([name]) => name)).toEqual(['tree', 'rows', 'facets'])
})
