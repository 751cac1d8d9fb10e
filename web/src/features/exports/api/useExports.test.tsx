import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, renderHook } from '@testing-library/react'
import { expect, onTestFinished, test, vi } from 'vitest'
import { toastQueue } from '@/shared/ui/toast'
import { refusal } from '@/test/renderApp'
import { useCreateExport } from './useExports'

const titles = () => toastQueue.visibleToasts.map(({ content }) => content.title)

const done = {
  id: 'e1',
  table: 'traces',
  state: 'done',
  downloadUrl: '/download/e1',
  fileName: 'traces.csv',
}

/** Starts an export; polling it returns these responses in turn. */
async function watched(...answers: (() => Response)[]) {
  toastQueue.clear()
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
    () => Response.json(done),
  )
  expect(titles()).toEqual(['The export is ready'])
})

test('the message about a finished export has its file', async () => {
  await watched(() => Response.json(done))
  expect(toastQueue.visibleToasts[0]?.content.link).toEqual({
    label: 'Download',
    href: '/download/e1',
    fileName: 'traces.csv',
  })
})

test('the progress of an export stays in sight until it is done', async () => {
  await watched(
    ...Array.from({ length: 5 }, (_, at) => () => {
      const state = { id: 'e1', table: 'traces', state: 'running', rows: at * 1000 }
      return Response.json({ ...state, totalRows: 10_000 })
    }),
  )
  const [shown] = toastQueue.visibleToasts
  expect(shown?.content.title).toBe('Exporting traces')
  expect(shown?.timeout).toBeUndefined()
  expect(shown?.content.progress?.get()).toEqual({ text: '40%, 4,000 rows', percent: 40 })
})

test('an export that is gone is not waited for', async () => {
  await watched(
    () => refusal(404, 'deleted'),
    () => Response.json({ id: 'e1', table: 'traces', state: 'done' }),
  )
  expect(titles()).toEqual([])
})
