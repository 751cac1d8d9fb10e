import { expect, test } from 'vitest'
import {
  formatAmount,
  limitProblems,
  newLimits,
  shareOf,
  toLimitValues,
  type Limit,
} from './limits'

const limit = (name: Limit['name'], most: number | null, isDefault = false): Limit => ({
  name,
  limit: most,
  isDefault,
  used: 30,
  remaining: null,
  resetsAt: '2026-11-19T00:00:00.000Z',
})
const none = toLimitValues([])

test('only what is set is in the form, bytes as megabytes', () => {
  const values = toLimitValues([
    limit('requestsPerMinute', 600),
    limit('spansPerDay', 5000, true),
    limit('bytesPerDay', 1_500_000),
  ])
  expect(values).toEqual({ ...none, requestsPerMinute: '600', bytesPerDay: '1.5' })
  expect(newLimits(values)).toEqual({
    ...newLimits(none),
    requestsPerMinute: 600,
    bytesPerDay: 1_500_000,
  })
  expect(newLimits(none).requestsPerDay).toBeNull()
})

test.each(['0', '-1', '1.5', 'x', '1e30'])('%s is no number of requests', (requestsPerDay) => {
  expect(limitProblems({ ...none, requestsPerDay }).requestsPerDay).toMatch(/whole number/)
  expect(limitProblems(none).requestsPerDay).toBeUndefined()
})

test('amounts have their units, and shares end at the limit', () => {
  expect(formatAmount('bytesPerDay', 2_000_000)).toBe('2 MB')
  expect(formatAmount('spansPerDay', 2_000_000)).toBe('2,000,000')
  expect(shareOf(limit('spansPerDay', 60))).toBe(0.5)
  expect(shareOf(limit('spansPerDay', 10))).toBe(1)
  expect(shareOf(limit('spansPerDay', null))).toBeUndefined()
})
