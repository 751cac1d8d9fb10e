import { expect, test } from 'vitest'
import { barsOf, brushed, bucketAt, bucketTimes, type Histogram } from './histogram'

const histogram: Histogram = {
  start: '2026-11-16T10:00:00.000Z',
  step: 60_000,
  buckets: [
    { count: 100, errors: 1 },
    { count: 0, errors: 0 },
    { count: 1, errors: 1 },
    { count: 50, errors: 25 },
  ],
  partial: false,
}

test('buckets follow one another', () => {
  expect(bucketTimes(histogram, 2)).toEqual({
    from: new Date('2026-11-16T10:02:00.000Z'),
    to: new Date('2026-11-16T10:03:00.000Z'),
  })
})

test.each([
  [-0.1, 0],
  [0, 0],
  [0.26, 1],
  [0.99, 3],
  [1, 3],
  [1.5, 3],
])('%d of the width is bucket %d', (part, want) => expect(bucketAt(4, part)).toBe(want))

test('a brush is the same in both directions', () => {
  const want = {
    from: new Date('2026-11-16T10:01:00.000Z'),
    to: new Date('2026-11-16T10:04:00.000Z'),
  }
  expect(brushed(histogram, 1, 3)).toEqual(want)
  expect(brushed(histogram, 3, 1)).toEqual(want)
})

test('small counts are seen, none is not, and errors are no higher than all', () => {
  expect(barsOf(histogram, 0.05)).toEqual([
    { index: 0, height: 1, errorHeight: 0.05 },
    { index: 2, height: 0.05, errorHeight: 0.05 },
    { index: 3, height: 0.5, errorHeight: 0.25 },
  ])
})
