import { describe, expect, test } from 'vitest'
import {
  countOf,
  formatCount,
  formatDuration,
  formatExact,
  formatMoney,
  formatScore,
  formatShare,
} from './format'

describe('formatMoney', () => {
  test.each([
    [0, '$0.00'],
    [1204.5, '$1,204.50'],
    [1, '$1.00'],
    [0.5, '$0.50'],
    [0.0123, '$0.0123'],
    [0.10004, '$0.10'],
    [0.00042, '$0.00042'],
    [0.0000042, '$0.0000042'],
    [-0.0123, '-$0.0123'],
    [1e-12, '< $0.000000001'],
  ])('%d is %s', (amount, text) => expect(formatMoney(amount)).toBe(text))
})

describe('formatDuration', () => {
  test.each([
    [0, '0 ms'],
    [0.25, '0.25 ms'],
    [340, '340 ms'],
    [999.6, '1 s'],
    [1200, '1.2 s'],
    [1234, '1.23 s'],
    [12_340, '12.3 s'],
    [59_990, '1 min 00 s'],
    [125_000, '2 min 05 s'],
    [11_400_000, '3 h 10 min'],
    [187_200_000, '2 d 4 h'],
    [-5, '0 ms'],
  ])('%d is %s', (ms, text) => expect(formatDuration(ms)).toBe(text))
})

describe('formatCount', () => {
  test.each([
    [0, '0'],
    [940, '940'],
    [1000, '1k'],
    [12_345, '12.3k'],
    [999_949, '1000k'],
    [999_960, '1M'],
    [4_560_000, '4.56M'],
    [2_000_000_000, '2B'],
  ])('%d is %s', (count, text) => expect(formatCount(count)).toBe(text))
})

test('formatExact keeps every digit', () => expect(formatExact(1_234_567)).toBe('1,234,567'))

test.each([
  [0.123456, '0.123'],
  [1, '1'],
  ['good', 'good'],
  [[1, 'x', null], '1, x, –'],
  [null, undefined],
  [undefined, undefined],
])('a score of %o', (value, want) => expect(formatScore(value)).toBe(want))

test('a count has the right form of its noun', () => {
  expect(countOf(0, 'trace')).toBe('0 traces')
  expect(countOf(1, 'match', 'matches')).toBe('1 match')
  expect(countOf(2000, 'match', 'matches')).toBe('2,000 matches')
})

test.each([
  [0, '0%'],
  [0.5, '50%'],
  [0.1234, '12.3%'],
  [1, '100%'],
])('the share %d is %s', (share, text) => expect(formatShare(share)).toBe(text))
