import { expect, test } from 'vitest'
import { axisLabel, bucketEnd, bucketLabel } from './bucketLabel'

const hour = 3_600_000
const at = new Date('2026-11-16T14:00:00Z')
const midnight = new Date('2026-11-16T00:00:00Z')

test.each([
  [at, 60_000, '14:00', '16 Nov 14:00 – 14:01'],
  [at, hour, '14:00', '16 Nov 14:00 – 15:00'],
  [midnight, hour, '16 Nov', '16 Nov 00:00 – 01:00'],
  [midnight, 24 * hour, '16 Nov', '16 Nov'],
  [midnight, 7 * 24 * hour, '16 Nov', '16 Nov – 22 Nov'],
  [at, 24 * hour, '16 Nov', '16 Nov 14:00 – 17 Nov 14:00'],
])('%s in buckets of %d ms', (moment, step, axis, whole) => {
  expect(axisLabel(moment, step, 'utc')).toBe(axis)
  expect(bucketLabel(moment, step, 'utc')).toBe(whole)
})

test('a bucket ends where the next one begins', () => {
  const starts = [at, new Date(at.getTime() + 23 * hour)]
  expect(bucketEnd(starts, 0, 24 * hour)).toEqual(starts[1])
  expect(bucketEnd(starts, 1, 24 * hour)).toEqual(new Date(at.getTime() + 47 * hour))
})
