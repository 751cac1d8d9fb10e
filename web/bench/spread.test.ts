import { expect, test } from 'vitest'
import { spread } from './spread'

test('quantiles are samples', () => {
  const samples = Array.from({ length: 20 }, (_, index) => 20 - index)
  expect(spread(samples)).toEqual({ p50: 10, p95: 19, least: 1, most: 20, count: 20 })
})

test('one sample is all of them', () => {
  expect(spread([7])).toEqual({ p50: 7, p95: 7, least: 7, most: 7, count: 1 })
})
