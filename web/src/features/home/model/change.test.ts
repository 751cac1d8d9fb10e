import { expect, test } from 'vitest'
import { alignBefore, changeOf, rangeBefore } from './change'

test.each([
  [110, 100, { text: '10%', direction: 'up' }],
  [97, 100, { text: '3.0%', direction: 'down' }],
  [0, 100, { text: '100%', direction: 'down' }],
  [100.2, 100, { text: 'no change', direction: 'same' }],
  [5000, 100, { text: '50 times as much', direction: 'up' }],
  [5, 0, undefined],
  [undefined, 5, undefined],
  [5, undefined, undefined],
])('%j after %j', (now, before, change) => {
  expect(changeOf(now, before)).toEqual(change)
})

test('the range before is as long and ends where this one begins', () => {
  const from = new Date('2026-11-15T12:00:00Z')
  expect(rangeBefore({ from, to: new Date('2026-11-16T12:00:00Z') })).toEqual({
    from: new Date('2026-11-14T12:00:00Z'),
    to: from,
  })
})

test('series of both ranges end together', () => {
  expect(alignBefore([1, 2], 3)).toEqual([null, 1, 2])
  expect(alignBefore([1, 2, 3], 2)).toEqual([2, 3])
  expect(alignBefore([1, 2], 2)).toEqual([1, 2])
})
