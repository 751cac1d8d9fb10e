import { expect, test } from 'vitest'
import { encodeRange } from '@/lib/timeRange'
import { readRecentRanges, rememberRange } from './recentRanges'

test('the last four that are not common are kept, each once, the newest first', () => {
  for (const amount of [2, 3, 4, 24, 5, 3, 7]) rememberRange({ kind: 'last', amount, unit: 'h' })
  expect(readRecentRanges().map(encodeRange)).toEqual(['7h', '3h', '5h', '4h'])
})
