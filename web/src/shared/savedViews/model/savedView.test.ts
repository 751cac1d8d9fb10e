import { expect, test } from 'vitest'
import type { SavedView } from '../api/useSavedViews'
import { addressOf, isBare, isChanged, stateOf, viewToOpen } from './savedView'

const view = (id: string, more: Partial<SavedView> = {}): SavedView => ({
  id,
  name: id,
  table: 'traces',
  shared: false,
  state: { filter: 'name;string;;=;x', cols: 'a,b', environment: ['p'] },
  isMyDefault: false,
  isProjectDefault: false,
  createdAt: '',
  updatedAt: '',
  ...more,
})

test('a view keeps what the address says about the table', () => {
  const address = {
    filter: 'f',
    search: '',
    sort: 'latency.desc',
    peek: 'trace',
    live: '1',
    dateRange: '7d',
    environment: 'p',
    w: 'a:120',
  }
  expect(stateOf(address, false)).toEqual({
    filter: 'f',
    sort: 'latency.desc',
    w: 'a:120',
    environment: ['p'],
  })
  expect(stateOf(address, true).dateRange).toBe('7d')
})

test('what a view does not say is taken away, but for the time', () => {
  const address = addressOf(view('v'))
  expect(address).toMatchObject({ viewId: 'v', filter: 'name;string;;=;x', cols: 'a,b' })
  expect('search' in address && address.search).toBeUndefined()
  expect('dateRange' in address).toBe(false)
  expect(addressOf(view('v', { state: { dateRange: '7d' } })).dateRange).toBe('7d')
})

test('edits mark a view as changed', () => {
  const saved = view('v')
  const address = addressOf(saved)
  expect(isChanged(saved, address)).toBe(false)
  expect(isChanged(saved, { ...address, dateRange: '1h', peek: 'x' })).toBe(false)
  expect(isChanged(saved, { ...address, environment: ['p', 'q'] })).toBe(true)
  expect(isChanged(saved, { ...address, cols: 'b,a' })).toBe(true)
  const timed = view('v', { state: { dateRange: '7d' } })
  expect(isChanged(timed, { ...addressOf(timed), dateRange: '1h' })).toBe(true)
})

test('a bare address opens the view that it names, or a default', () => {
  const mine = view('mine', { isMyDefault: true })
  const ours = view('ours', { shared: true, isProjectDefault: true })
  const other = view('other', { table: 'observations', isMyDefault: true })
  const all = [ours, other, mine]
  expect(viewToOpen(all, 'traces', {})?.id).toBe('mine')
  expect(viewToOpen([ours], 'traces', { dateRange: '7d' })?.id).toBe('ours')
  expect(viewToOpen(all, 'traces', { viewId: 'ours' })?.id).toBe('ours')
  expect(viewToOpen(all, 'traces', { viewId: 'gone' })).toBeUndefined()
  expect(viewToOpen(all, 'traces', { viewId: 'ours', search: 'x' })).toBeUndefined()
  expect(isBare({ peek: 'x' })).toBe(true)
})
