import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, renderHook } from '@testing-library/react'
import { expect, onTestFinished, test, vi } from 'vitest'
import { toastQueue } from '@/shared/ui/toast'
import { refusal } from '@/test/renderApp'
import { useCreateExport } from './useExports'

const titles = () => toastQueue.visibleToasts.map(({ content }) => content.title)

/** Starts an export; polling it returns these responses in turn. */
async function watched(...answers: (() => Response)[]) {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  vi.stubGlobal('fetch', async ({ method }: Request) =>
    method === 'POST'
      ? Response.json({ id: 'e1', table: 'traces', state: 'queued' }, { status: 201 })
      : (answers.shift() ?? (() => refusal(404, 'asked too often')))(),
  )
  const client = new QueryClient()
  const { result } = renderHook(() => useCreateExport('p', () => undefined), {
    wrapper: ({ children }) => (
      <QueryClientProvider client={client}>{children}</QueryClientProvider>
    ),
  })
  await act(async () => {
    result.current.mutate({ table: 'traces', format: 'csv' })
    await vi.advanceTimersByTimeAsync(10_000)
  })
}

test('one try that fails does not end the wait for an export', async () => {
  await watched(
    () => {
      throw new TypeError('offline')
    },
    () => refusal(503, 'busy'),
    () => Response.json({ id: 'e1', table: 'traces', state: 'done' }),
  )
  expect(titles()).toContain('The export is ready')
})

test('an export that is gone is not waited for', async () => {
  await watched(
    () => refusal(404, 'deleted'),
    () => Response.json({ id: 'e1', table: 'traces', state: 'done' }),
  )
  expect(titles()).toEqual(['Exporting traces'])
})
