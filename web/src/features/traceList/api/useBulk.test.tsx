import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { renderHook } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import type { Row } from '../model/rows'
import { useBulk } from './useBulk'

test('what was begun ends when the page is left', async () => {
  const answers: (() => void)[] = []
  vi.stubGlobal(
    'fetch',
    () => new Promise((resolve) => answers.push(() => resolve(Response.json({ message: 'ok' })))),
  )
  const { result, unmount } = renderHook(() => useBulk('p', 'traces'), {
    wrapper: ({ children }) => (
      <QueryClientProvider client={new QueryClient()}>{children}</QueryClientProvider>
    ),
  })
  const rows = Array.from({ length: 1000 }, (_, at) => ({ traceId: `t${at}`, id: 'root' }) as Row)
  const running = result.current.run({ kind: 'rows', rows }, { kind: 'delete' })
  await vi.waitFor(() => expect(answers).toHaveLength(4))
  unmount()
  for (const answer of answers) answer()
  expect(await running).toEqual({ total: 1000, done: 400, failures: [] })
  expect(answers).toHaveLength(4)
})
