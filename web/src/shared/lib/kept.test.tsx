import { beforeEach, expect, test, vi } from 'vitest'
import { keep, readKept } from './kept'
import { endSessionState } from './sessionState'

beforeEach(() => history.replaceState({ key: 'a' }, ''))

test('every entry keeps its own, without calls of the history', () => {
  const calls = vi.spyOn(History.prototype, 'replaceState')
  for (let step = 0; step < 1000; step++) keep('place', step)
  expect(calls).not.toHaveBeenCalled()
  history.replaceState({ key: 'b' }, '')
  expect(readKept('place')).toBeUndefined()
  keep('place', 'there')
  history.replaceState({ key: 'a' }, '')
  expect(readKept('place')).toBe(999)
})

test('it is stored when the page is left, unless the browser does not allow that', () => {
  keep('place', 1)
  dispatchEvent(new Event('pagehide'))
  expect(sessionStorage.getItem('almanac-kept')).toBe('[["a",{"place":1}]]')
  keep('place', 2)
  const setItem = () => {
    throw new DOMException('full', 'QuotaExceededError')
  }
  vi.stubGlobal('sessionStorage', { setItem })
  dispatchEvent(new Event('pagehide'))
  expect(readKept('place')).toBe(2)
})

test('a reload finds it', () => {
  sessionStorage.setItem('almanac-kept', '[["a",{"place":7}]]')
  expect(readKept('place')).toBe(7)
})

test('it ends with the session', () => {
  keep('place', 1)
  dispatchEvent(new Event('pagehide'))
  endSessionState()
  expect(readKept('place')).toBeUndefined()
  expect(sessionStorage.getItem('almanac-kept')).toBeNull()
})
