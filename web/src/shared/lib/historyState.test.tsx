import { beforeEach, expect, test, vi } from 'vitest'
import { readHistoryState, writeHistoryState } from './historyState'
import { endSessionState } from './sessionState'

beforeEach(() => history.replaceState({ key: 'a' }, ''))

test('every entry keeps its own, without calls of the history', () => {
  const calls = vi.spyOn(History.prototype, 'replaceState')
  for (let step = 0; step < 1000; step++) writeHistoryState('place', step)
  expect(calls).not.toHaveBeenCalled()
  history.replaceState({ key: 'b' }, '')
  expect(readHistoryState('place')).toBeUndefined()
  writeHistoryState('place', 'there')
  history.replaceState({ key: 'a' }, '')
  expect(readHistoryState('place')).toBe(999)
})

test('it is stored when the page is left, unless the browser does not allow that', () => {
  writeHistoryState('place', 1)
  dispatchEvent(new Event('pagehide'))
  expect(sessionStorage.getItem('almanac-kept')).toBe('[["a",{"place":1}]]')
  writeHistoryState('place', 2)
  const setItem = () => {
    throw new DOMException('full', 'QuotaExceededError')
  }
  vi.stubGlobal('sessionStorage', { setItem })
  dispatchEvent(new Event('pagehide'))
  expect(readHistoryState('place')).toBe(2)
})

test('a reload finds it', () => {
  sessionStorage.setItem('almanac-kept', '[["a",{"place":7}]]')
  expect(readHistoryState('place')).toBe(7)
})

test('it ends with the session', () => {
  writeHistoryState('place', 1)
  dispatchEvent(new Event('pagehide'))
  endSessionState()
  expect(readHistoryState('place')).toBeUndefined()
  expect(sessionStorage.getItem('almanac-kept')).toBeNull()
})
