import { expect, test } from 'vitest'
import { comparedOf, itemsQueryOf, measureColumnId } from './results'

test('the address of the SDKs is a comparison', () => {
  expect(comparedOf({ baseline: 'r1' })).toEqual({ baseline: 'r1' })
  expect(comparedOf({})).toBeUndefined()
  expect(comparedOf({ baseline: '' })).toBeUndefined()
})

test('an experiment is compared with the baseline once, and never with itself', () => {
  expect(comparedOf({ baseline: 'a', c: ['b', 'a', 'b', 'c'], itemVisibility: 'all' })).toEqual({
    baseline: 'a',
    candidates: ['b', 'c'],
    items: 'all',
  })
  const many = Array.from({ length: 12 }, (_, n) => `c${n}`)
  expect(comparedOf({ baseline: 'a', c: many })?.candidates).toHaveLength(9)
  expect(comparedOf({ baseline: 'a', c: 'b', lower: 'x' })).toEqual({
    baseline: 'a',
    candidates: ['b'],
    lowerIsBetter: ['x'],
  })
})

test('columns of candidates sort by their difference, those of the baseline by value', () => {
  const compared = { baseline: 'a', candidates: ['b'] }
  const key = 'NUMERIC:API:tone: 1.5, or so'
  expect(
    itemsQueryOf(
      compared,
      { only: 'regressions', measure: key },
      { sort: { column: measureColumnId(1, key), direction: 'asc' } },
    ),
  ).toEqual({
    ...compared,
    only: 'regressions',
    measure: key,
    order: { measure: key, by: 'difference', direction: 'asc', candidate: 1 },
  })
  expect(
    itemsQueryOf(
      compared,
      { only: 'nonsense' },
      { sort: { column: measureColumnId(0, 'cost'), direction: 'desc' } },
    ),
  ).toEqual({ ...compared, order: { measure: 'cost', by: 'baseline', direction: 'desc' } })
  expect(itemsQueryOf(compared, {}, { sort: { column: 'item', direction: 'desc' } })).toEqual(
    compared,
  )
})
