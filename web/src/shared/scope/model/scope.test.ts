import { expect, test } from 'vitest'
import { toList, toScope } from './scope'

const now = new Date('2026-11-16T12:00:00Z')

test('a range up to now has no end', () => {
  expect(toScope({ kind: 'last', amount: 1, unit: 'h' }, [], now)).toEqual({
    from: '2026-11-16T11:00:00.000Z',
  })
})

test('a range between two moments has both, and environments come along', () => {
  const from = new Date('2026-11-01T00:00:00Z')
  const to = new Date('2026-11-02T00:00:00Z')
  expect(toScope({ kind: 'between', from, to }, ['production'], now)).toEqual({
    from: from.toISOString(),
    to: to.toISOString(),
    environment: ['production'],
  })
})

test.each([
  [undefined, []],
  ['', []],
  ['a', ['a']],
  [
    ['a', '', 'b'],
    ['a', 'b'],
  ],
])('environments of %j', (value, list) => {
  expect(toList(value)).toEqual(list)
})
