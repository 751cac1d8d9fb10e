import { describe, expect, onTestFinished, test, vi } from 'vitest'
import {
  decodeRange,
  encodeRange,
  labelRange,
  parseTyped,
  resolveRange,
  type TimeRange,
} from './timeRange'

const now = new Date('2026-11-18T15:30:00Z') // a Wednesday

function ends(range: TimeRange | undefined): string {
  if (!range) return 'nothing'
  const { from, to } = resolveRange(range, now)
  return `${from.toISOString().slice(0, 16)} ${to.toISOString().slice(0, 16)}`
}

test('everything has no beginning', () => {
  expect(parseTyped('All time', now, 'utc')).toEqual({ kind: 'all' })
  expect(decodeRange('all')).toEqual({ kind: 'all' })
  expect(encodeRange({ kind: 'all' })).toBe('all')
  expect(labelRange({ kind: 'all' }, 'utc')).toBe('All time')
  expect(ends({ kind: 'all' })).toBe('1970-01-01T00:00 2026-11-18T15:30')
})

describe('parseTyped in UTC', () => {
  test.each([
    ['3h', '2026-11-18T12:30 2026-11-18T15:30'],
    ['last 2 days', '2026-11-16T15:30 2026-11-18T15:30'],
    ['Last Hour', '2026-11-18T14:30 2026-11-18T15:30'],
    ['past 15 min', '2026-11-18T15:15 2026-11-18T15:30'],
    ['today', '2026-11-18T00:00 2026-11-18T15:30'],
    ['yesterday', '2026-11-17T00:00 2026-11-18T00:00'],
    ['this week', '2026-11-16T00:00 2026-11-18T15:30'],
    ['this month', '2026-11-01T00:00 2026-11-18T15:30'],
    ['tue 9-12', '2026-11-17T09:00 2026-11-17T12:00'],
    ['last tuesday 9:30-12', '2026-11-17T09:30 2026-11-17T12:00'],
    ['last wed', '2026-11-11T00:00 2026-11-12T00:00'],
    ['today 9-12', '2026-11-18T09:00 2026-11-18T12:00'],
    ['9-12', '2026-11-18T09:00 2026-11-18T12:00'],
    ['9:30 to 12', '2026-11-18T09:30 2026-11-18T12:00'],
    ['2026-11-01', '2026-11-01T00:00 2026-11-02T00:00'],
    ['2026-11-01..2026-11-05', '2026-11-01T00:00 2026-11-06T00:00'],
    ['2026-11-01 09:00 to 2026-11-01 12:30', '2026-11-01T09:00 2026-11-01T12:30'],
    ['', 'nothing'],
    ['h', 'nothing'],
    ['soon', 'nothing'],
    ['0h', 'nothing'],
    ['tue 12-9', 'nothing'],
    ['tue 9-25', 'nothing'],
    ['12-9', 'nothing'],
    ['2026-13-01', 'nothing'],
    ['2026-11-05..2026-11-01', 'nothing'],
  ])('%s', (text, want) => expect(ends(parseTyped(text, now, 'utc'))).toBe(want))
})

test('a day has as many hours as the clock says', () => {
  vi.stubEnv('TZ', 'Europe/Berlin')
  onTestFinished(() => void vi.unstubAllEnvs())
  const hours = (text: string) => {
    const range = parseTyped(text, now, 'local')
    return range?.kind === 'between' && (range.to.getTime() - range.from.getTime()) / 3_600_000
  }
  expect(hours('2026-03-29')).toBe(23)
  expect(hours('2026-10-25')).toBe(25)
  expect(hours('2026-10-24..2026-10-26')).toBe(73)
})

test('what is encoded is decoded', () => {
  for (const text of [
    '15m',
    '24h',
    '7d',
    '2w',
    '2026-11-01T00:00:00.000Z~2026-11-02T00:00:00.000Z',
  ]) {
    const range = decodeRange(text)
    expect(range && encodeRange(range)).toBe(text)
  }
  for (const text of [
    '',
    '0h',
    '24',
    'h',
    '12345h',
    'a~b',
    '2026-11-02T00:00:00Z~2026-11-01T00:00:00Z',
    'a~b~c',
  ]) {
    expect(decodeRange(text)).toBeUndefined()
  }
})

test('labels', () => {
  expect(labelRange({ kind: 'last', amount: 1, unit: 'h' }, 'utc')).toBe('Last hour')
  expect(labelRange({ kind: 'last', amount: 7, unit: 'd' }, 'utc')).toBe('Last 7 days')
  const between = {
    kind: 'between' as const,
    from: new Date('2026-11-17T09:00Z'),
    to: new Date('2026-11-17T12:00Z'),
  }
  expect(labelRange(between, 'utc')).toBe('2026-11-17 09:00 – 12:00')
})
