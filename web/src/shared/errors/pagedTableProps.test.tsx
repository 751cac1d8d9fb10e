import { QueryClient, QueryClientProvider, useInfiniteQuery } from '@tanstack/react-query'
import { act, renderHook, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { pagedTableProps } from './pagedTableProps'

test('the next page waits until all rows that are asked for again have come', async () => {
  let stored = ['deleted', 'kept', 'next']
  let hold = Promise.resolve()
  const client = new QueryClient()
  const { result } = renderHook(
    () => {
      const query = useInfiniteQuery({
        queryKey: ['rows'],
        initialPageParam: 0,
        queryFn: async ({ pageParam }) => {
          const row = stored[pageParam]
          await hold
          return row
        },
        getNextPageParam: (_, pages) => (pages.length < stored.length ? pages.length : undefined),
      })
      return { rows: query.data?.pages, ...pagedTableProps(query, 'rows') }
    },
    {
      wrapper: ({ children }) => (
        <QueryClientProvider client={client}>{children}</QueryClientProvider>
      ),
    },
  )
  await waitFor(() => expect(result.current.onNearEnd).toBeDefined())
  const { onNearEnd } = result.current

  stored = ['kept', 'next']
  let release = () => {}
  hold = new Promise((resolve) => (release = resolve))
  act(() => {
    void client.invalidateQueries()
    // The table has not rendered the new props yet.
    onNearEnd?.()
  })
  await waitFor(() => expect(result.current.onNearEnd).toBeUndefined())
  expect(result.current.isLoadingMore).toBe(false)
  act(() => release())
  await waitFor(() => expect(result.current.onNearEnd).toBeDefined())
  act(() => result.current.onNearEnd?.())
  await waitFor(() => expect(result.current.rows).toEqual(['kept', 'next']))
})
