import { act, renderHook, waitFor } from '@testing-library/react'
import { expect, onTestFinished, test, vi } from 'vitest'
import { livePreference } from '../model/livePreference'
import type { Row } from '../model/rows'
import { useLive } from './useLive'

const row = (traceId: string) => ({ traceId, id: 'root', name: 'step' }) as Row
const loaded = [row('old')]
const state = {}
const view = {
  query: { conditions: [], search: '' },
  unknown: [],
  range: { kind: 'last' as const, amount: 1, unit: 'd' as const },
  environment: [],
  selection: {},
  asOf: new Date(),
  refresh: () => {},
  setQuery: () => {},
  setRange: () => {},
}

test.each([
  [0, 0],
  [50, 1],
])('rows wait when Live is turned on with the table %i pixels down: %i', async (top, waiting) => {
  livePreference.set('stream')
  onTestFinished(() => livePreference.set('wait'))
  const event = `event: rows\ndata: ${JSON.stringify({ rows: [row('new')], skipped: 0 })}\n\n`
  vi.stubGlobal('fetch', async () => {
    const body = new ReadableStream({
      start: (stream) => stream.enqueue(new TextEncoder().encode(event)),
    })
    return new Response(body)
  })
  const { result, rerender } = renderHook(
    ({ isOn }) =>
      useLive('p', 'traces', view, state, { loaded, isOn, isHeld: false, onReady: () => {} }),
    { initialProps: { isOn: false } },
  )
  act(() => result.current.onScroll(top))
  rerender({ isOn: true })
  await waitFor(() => expect(result.current.pill?.line.is).toBe('open'))
  expect(result.current.pill?.count).toBe(waiting)
  expect(result.current.rows).toHaveLength(2 - waiting)
})
