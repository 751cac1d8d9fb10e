import { describe, expect, test } from 'vitest'
import { formatFull, formatMinute, formatRelative } from './time'

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

test('formatFull names the zone', () => {
  expect(formatFull(now, 'utc')).toBe('2026-11-16 12:00:00 UTC')
  expect(formatFull(new Date('2026-11-16T12:00:00.120Z'), 'utc')).toBe(
    '2026-11-16 12:00:00.120 UTC',
  )
  expect(formatFull(now, 'local')).toMatch(/^2026-11-1\d \d\d:\d\d:00 [+-]\d\d:\d\d$/)
  expect(formatMinute(now, 'utc')).toBe('2026-11-16 12:00')
})
