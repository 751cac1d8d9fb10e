import { act, renderHook, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { mostFresh } from '../model/live'
import { livePreference } from '../model/livePreference'
import type { Row } from '../model/rows'
import { useLive } from './useLive'
import type { TraceQuery } from './useTraceQuery'

const row = (traceId: string) => ({ traceId, id: 'root', name: 'step' }) as Row
const view = { selection: {}, asOf: new Date(0), refresh: () => {} } as TraceQuery
const options = {
  loaded: [row('old')],
  loadedAt: 1,
  isReloading: false,
  isOn: true,
  isHeld: false,
  onReady: () => {},
}
const state = {}

let connection: ReadableStreamDefaultController<Uint8Array>

beforeEach(() => {
  livePreference.set('stream')
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => void (connection = controller),
  })
  vi.stubGlobal('fetch', async () => new Response(body))
})

afterEach(() => livePreference.set('wait'))

const show = (first: Partial<typeof options> = {}) =>
  renderHook(
    (more: Partial<typeof options>) => useLive('p', 'traces', view, state, { ...options, ...more }),
    { initialProps: first },
  )

const arrive = (...ids: string[]) =>
  act(async () => {
    const data = JSON.stringify({ rows: ids.map(row), skipped: 0 })
    connection.enqueue(new TextEncoder().encode(`event: rows\ndata: ${data}\n\n`))
  })

test.each([
  [0, 0],
  [50, 1],
])('rows wait when Live is turned on with the table %i pixels down: %i', async (top, waiting) => {
  const { result, rerender } = show({ isOn: false })
  act(() => result.current.onScroll(top))
  rerender({ isOn: true })
  await arrive('new')
  await waitFor(() => expect(result.current.pill?.connection.status).toBe('open'))
  expect(result.current.pill?.count).toBe(waiting)
  expect(result.current.rows).toHaveLength(2 - waiting)
})

test('rows that streamed in stay when the table is scrolled, a row is open or nothing streams in any more', async () => {
  const { result, rerender } = show()
  const ids = () => result.current.rows?.map(({ traceId }) => traceId)
  await arrive('new', 'long')
  await waitFor(() => expect(ids()).toEqual(['new', 'long', 'old']))
  act(() => result.current.onScroll(50))
  // The next page contains one of them as well: it began long ago.
  const loaded = { loadedAt: 2, loaded: [row('old'), row('older'), row('long')] }
  rerender(loaded)
  expect(ids()).toEqual(['new', 'long', 'old', 'older'])
  await arrive('later')
  await waitFor(() => expect(result.current.pill?.count).toBe(1))
  expect(ids()).toEqual(['new', 'long', 'old', 'older'])

  act(() => result.current.onScroll(0))
  const all = ['later', 'new', 'long', 'old', 'older']
  expect(ids()).toEqual(all)
  rerender({ ...loaded, isHeld: true })
  expect(ids()).toEqual(all)
  rerender(loaded)
  act(() => livePreference.set('wait'))
  expect(ids()).toEqual(all)
  expect(result.current.pill?.count).toBe(0)
})

test('rows that stream in say when there are more than are kept', async () => {
  const { result } = show()
  await arrive('a')
  await waitFor(() => expect(result.current.rows).toHaveLength(2))
  expect(result.current.pill?.isMore).toBe(false)
  await arrive(...Array.from({ length: mostFresh }, (_, at) => `b${at}`))
  await waitFor(() => expect(result.current.rows).toHaveLength(mostFresh + 1))
  expect(result.current.pill).toMatchObject({ count: 0, isMore: true })
})

test('what was deleted is gone when all rows have been loaded again, and what came meanwhile is not', async () => {
  const { result, rerender } = show()
  const ids = () => result.current.rows?.map(({ traceId }) => traceId)
  await arrive('deleted', 'kept')
  await waitFor(() => expect(ids()).toEqual(['deleted', 'kept', 'old']))
  // A failed reload changes nothing.
  rerender({ isReloading: true })
  rerender({ isReloading: false })
  expect(ids()).toEqual(['deleted', 'kept', 'old'])

  rerender({ isReloading: true })
  await arrive('later')
  await waitFor(() => expect(ids()).toEqual(['later', 'deleted', 'kept', 'old']))
  rerender({ loadedAt: 2, loaded: [row('kept'), row('old')] })
  expect(ids()).toEqual(['later', 'kept', 'old'])
})
