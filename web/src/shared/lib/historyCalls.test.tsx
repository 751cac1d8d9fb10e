import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { entryState, limitHistoryCalls } from './historyCalls'

/** A history that refuses more than 100 calls within ten seconds, as Safari does. */
function safari() {
  const calls: number[] = []
  const entries: unknown[] = [undefined]
  const allow = () => {
    calls.push(Date.now())
    if (calls.filter((at) => Date.now() - at < 10_000).length > 100)
      throw new DOMException('Attempt to use history.replaceState() more than 100 times')
  }
  const replaceState = (state: unknown) => {
    allow()
    entries[entries.length - 1] = state
  }
  const pushState = (state: unknown) => {
    allow()
    entries.push(state)
  }
  return { entries, calls, target: { replaceState, pushState } as unknown as History }
}

beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  vi.runAllTimers()
  vi.useRealTimers()
})

test('a key that is held for a minute changes the address within the limit of the browser', () => {
  const { entries, calls, target } = safari()
  limitHistoryCalls(target)
  for (let step = 0; step < 1800; step++) {
    target.replaceState({ key: `k${step}` }, '', `?step=${step}`)
    vi.advanceTimersByTime(33)
  }
  expect(entryState()).toEqual({ key: 'k1799' })
  vi.advanceTimersByTime(10_000)
  expect(entries).toEqual([{ key: 'k1799' }])
  expect(calls.length).toBeLessThan(400)
})

test('a page that is opened meanwhile leaves the last state behind', () => {
  const { entries, target } = safari()
  limitHistoryCalls(target)
  for (let step = 0; step < 80; step++) target.replaceState({ key: `k${step}` }, '')
  target.pushState({ key: 'next' }, '')
  vi.advanceTimersByTime(20_000)
  expect(entries).toEqual([{ key: 'k79' }, { key: 'next' }])
})

test('going back drops what was not written', () => {
  const { entries, target } = safari()
  limitHistoryCalls(target)
  for (let step = 0; step < 80; step++) target.replaceState({ key: `k${step}` }, '')
  dispatchEvent(new PopStateEvent('popstate'))
  vi.advanceTimersByTime(20_000)
  expect(entries).toEqual([{ key: 'k49' }])
})
