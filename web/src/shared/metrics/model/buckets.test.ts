import { expect, test } from 'vitest'
import { bucketStarts, granularityFor, numberOf, seriesOf } from './buckets'

const at = (text: string) => new Date(`2026-11-${text}Z`)

test.each([
  ['16T10:00', '16T12:00', 'minute'],
  ['15T12:00', '16T12:00', 'hour'],
  ['09T12:00', '16T12:00', 'day'],
] as const)('from %s to %s: by the %s', (from, to, granularity) => {
  expect(granularityFor(at(from), at(to))).toBe(granularity)
})

test('a year is shown by the week', () => {
  expect(granularityFor(new Date('2025-11-16'), new Date('2026-11-16'))).toBe('week')
})

test('buckets begin where UTC has round times', () => {
  expect(bucketStarts(at('16T10:40'), at('16T12:10'), 'hour')).toEqual([
    at('16T10:00'),
    at('16T11:00'),
    at('16T12:00'),
  ])
  // The 16th is a Monday; the 15th belongs to the week of the 9th.
  expect(bucketStarts(at('15T10:00'), at('17T00:00'), 'week')).toEqual([
    at('09T00:00'),
    at('16T00:00'),
  ])
})

test('values go to their buckets, whatever the times look like', () => {
  const starts = bucketStarts(at('14T10:00'), at('16T12:00'), 'day')
  const rows = [
    { time_dimension: '2026-11-14', sum_totalCost: 1.5 },
    { time_dimension: '2026-11-16', sum_totalCost: null },
  ]
  expect(seriesOf(rows, starts, 'sum_totalCost', 0)).toEqual([1.5, 0, 0])
  expect(seriesOf(rows, starts, 'sum_totalCost', null)).toEqual([1.5, null, null])
  const hours = bucketStarts(at('16T05:00'), at('16T06:00'), 'hour')
  expect(seriesOf([{ time_dimension: '2026-11-16T05:00:00Z', n: 2 }], hours, 'n', 0)).toEqual([2])
})

test('only numbers are numbers', () => {
  expect(numberOf({ a: 1 }, 'a')).toBe(1)
  expect(numberOf({ a: null }, 'a')).toBeUndefined()
  expect(numberOf(undefined, 'a')).toBeUndefined()
})
