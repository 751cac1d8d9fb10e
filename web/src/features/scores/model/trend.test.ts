import { expect, test } from 'vitest'
import { meansOver, sharesOver } from './trend'

const hour = 3_600_000
const starts = [0, hour, 2 * hour].map((at) => new Date(at))
const point = (at: number, value: number | string) => ({
  id: String(at),
  at,
  value,
  subject: undefined,
})

test('numbers are averaged by bucket; what is outside does not count', () => {
  const points = [
    point(0, 1),
    point(hour - 1, 2),
    point(2 * hour, 5),
    point(3 * hour, 9),
    point(-1, 9),
  ]
  expect(meansOver(points, starts, hour)).toEqual([1.5, null, 5])
})

test('categories have shares', () => {
  const points = [point(0, 'Yes'), point(1, 'No'), point(2, 'No'), point(hour, 'Yes')]
  expect(sharesOver(points, starts, hour, 'No')).toEqual([2 / 3, 0, null])
})
