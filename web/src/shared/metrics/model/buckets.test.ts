import { afterEach, expect, test, vi } from 'vitest'
import { bucketStarts, granularityFor, numberOf, seriesOf } from './buckets'

afterEach(() => vi.unstubAllEnvs())

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
  expect(bucketStarts(at('16T10:40'), at('16T12:10'), 'hour', 'utc')).toEqual([
    at('16T10:00'),
    at('16T11:00'),
    at('16T12:00'),
  ])
  // The 16th is a Monday; the 15th belongs to the week of the 9th.
  expect(bucketStarts(at('15T10:00'), at('17T00:00'), 'week', 'utc')).toEqual([
    at('09T00:00'),
    at('16T00:00'),
  ])
})

test('values go to their buckets, whatever the times look like', () => {
  const starts = bucketStarts(at('14T10:00'), at('16T12:00'), 'day', 'utc')
  const rows = [
    { time_dimension: '2026-11-14', sum_totalCost: 1.5 },
    { time_dimension: '2026-11-16', sum_totalCost: null },
  ]
  expect(seriesOf(rows, starts, 'sum_totalCost', 0, 'utc')).toEqual([1.5, 0, 0])
  expect(seriesOf(rows, starts, 'sum_totalCost', null, 'utc')).toEqual([1.5, null, null])
  const hours = bucketStarts(at('16T05:00'), at('16T06:00'), 'hour', 'utc')
  expect(
    seriesOf([{ time_dimension: '2026-11-16T05:00:00Z', n: 2 }], hours, 'n', 0, 'utc'),
  ).toEqual([2])
})

test('days and weeks begin where the zone has midnight, also where clocks change', () => {
  vi.stubEnv('TZ', 'Europe/Berlin')
  const days = bucketStarts(
    new Date('2026-10-24T10:00:00Z'),
    new Date('2026-10-26T10:00:00Z'),
    'day',
    'local',
  )
  expect(days.map((day) => day.toISOString())).toEqual([
    '2026-10-23T22:00:00.000Z',
    '2026-10-24T22:00:00.000Z',
    '2026-10-25T23:00:00.000Z',
  ])
  const rows = [{ time_dimension: '2026-10-26', n: 3 }]
  expect(seriesOf(rows, days, 'n', 0, 'local')).toEqual([0, 0, 3])
  // Sunday evening in UTC is Monday in Berlin.
  expect(bucketStarts(at('15T23:30'), at('16T01:00'), 'week', 'local')).toEqual([at('15T23:00')])
})

test('only numbers are numbers', () => {
  expect(numberOf({ a: 1 }, 'a')).toBe(1)
  expect(numberOf({ a: null }, 'a')).toBeUndefined()
  expect(numberOf(undefined, 'a')).toBeUndefined()
})
