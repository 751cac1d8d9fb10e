import { describe, expect, test } from 'vitest'
import { formatFull, formatMinute, formatPast, formatRelative, formatWords } from './time'

const now = new Date('2026-11-16T12:00:00Z')

describe('formatRelative', () => {
  test.each([
    ['2026-11-16T11:59:55Z', 'just now'],
    ['2026-11-16T11:59:30Z', '30 s ago'],
    ['2026-11-16T11:57:00Z', '3 min ago'],
    ['2026-11-16T09:10:00Z', '2 h ago'],
    ['2026-11-13T11:00:00Z', '3 d ago'],
    ['2026-07-16T11:00:00Z', '4 mo ago'],
    ['2020-07-16T11:00:00Z', '6 y ago'],
    ['2026-11-18T12:00:00Z', 'in 2 d'],
  ])('%s is %s', (at, text) => expect(formatRelative(new Date(at), now)).toBe(text))
})

test.each([
  ['2026-11-16T11:57:00Z', '3 min ago'],
  ['2026-11-16T12:00:30Z', 'just now'],
  ['2026-11-16T12:04:00Z', 'just now'],
  ['2026-11-16T14:05:00Z', '2026-11-16 14:05'],
])('what happened at %s is never in the future: %s', (at, text) =>
  expect(formatPast(new Date(at), now, 'utc')).toBe(text),
)

test.each([
  ['2026-11-23T11:59:58Z', 'in 7 days'],
  ['2026-11-17T12:00:00Z', 'in 24 hours'],
  ['2026-11-16T12:59:58Z', 'in 1 hour'],
  ['2026-11-16T12:01:05Z', 'in 1 minute'],
  ['2026-11-16T12:00:10Z', 'now'],
  ['2026-11-13T12:00:00Z', '3 days ago'],
])('%s is %s in a sentence', (at, text) => expect(formatWords(new Date(at), now)).toBe(text))

test('formatFull names the zone', () => {
  expect(formatFull(now, 'utc')).toBe('2026-11-16 12:00:00 UTC')
  expect(formatFull(new Date('2026-11-16T12:00:00.120Z'), 'utc')).toBe(
    '2026-11-16 12:00:00.120 UTC',
  )
  expect(formatFull(now, 'local')).toMatch(/^2026-11-1\d \d\d:\d\d:00 [+-]\d\d:\d\d$/)
  expect(formatMinute(now, 'utc')).toBe('2026-11-16 12:00')
})
