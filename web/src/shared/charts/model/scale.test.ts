import { expect, test } from 'vitest'
import { linear, nearest, niceTicks, spread } from './scale'

test.each([
  [0, 10, [0, 2.5, 5, 7.5, 10]],
  [0, 97, [0, 25, 50, 75, 100]],
  [0, 0.3, [0, 0.1, 0.2, 0.3]],
  [0, 1, [0, 0.25, 0.5, 0.75, 1]],
  [0, 0, [0, 1]],
  [-1, 1, [-1, -0.5, 0, 0.5, 1]],
  [0, Number.NaN, [0, 1]],
])('ticks from %d to %d', (least, greatest, ticks) => {
  expect(niceTicks(least, greatest)).toEqual(ticks)
})

test('ticks reach the greatest value, whatever it is', () => {
  for (const greatest of [1e-9, 0.07, 3, 12_345, 9.99e9])
    expect(niceTicks(0, greatest).at(-1)).toBeGreaterThanOrEqual(greatest)
})

test('values are mapped to pixels, upside down as well', () => {
  expect(linear([0, 10], [100, 0])(2.5)).toBe(75)
  expect(linear([5, 5], [0, 100])(5)).toBe(0)
})

test('labels are spread over a list', () => {
  expect(spread(0, 5)).toEqual([])
  expect(spread(3, 5)).toEqual([0, 1, 2])
  expect(spread(24, 6)).toEqual([0, 4, 8, 12, 16, 20])
})

test.each([
  [-0.1, 0],
  [0, 0],
  [0.49, 1],
  [0.5, 2],
  [1, 3],
])('the place at %d of four', (share, place) => {
  expect(nearest(share, 4)).toBe(place)
})
