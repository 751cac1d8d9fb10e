import { expect, test } from 'vitest'
import { describeState, isOpen, percentOf, tableLabel } from './state'

test.each([
  ['running', 50, 200, 25],
  ['running', 200, 200, 99],
  ['running', 250, 200, 99],
  ['running', 0, 0, 0],
  ['running', 10, null, undefined],
  ['queued', 0, 200, undefined],
  ['done', 200, 200, undefined],
] as const)('%s with %d of %s rows', (state, rows, totalRows, want) => {
  expect(percentOf({ state, rows, totalRows })).toBe(want)
})

test('only what waits or runs is open', () => {
  const states = ['queued', 'running', 'done', 'failed', 'cancelled', 'expired'] as const
  expect(states.filter((state) => isOpen({ state }))).toEqual(['queued', 'running'])
  expect(describeState('done').label).toBe('Ready')
})

test('tables have names, also those that this page does not know', () => {
  expect(tableLabel('dataset_items')).toBe('Dataset items')
  expect(tableLabel('other')).toBe('other')
})
