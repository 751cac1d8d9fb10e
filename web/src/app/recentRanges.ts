import { readStored, writeStored } from '@/shared/lib/preference'
import {
  allTime,
  commonRanges,
  decodeRange,
  encodeRange,
  type TimeRange,
} from '@/shared/lib/timeRange'

const key = 'almanac.recentRanges'
const kept = 4
const common = new Set([...commonRanges, allTime].map(encodeRange))

/** Recently chosen ranges that are not presets, newest first. */
export function readRecentRanges(): TimeRange[] {
  return (readStored(key) ?? '').split(' ').flatMap((text) => decodeRange(text) ?? [])
}

export function rememberRange(range: TimeRange): void {
  const text = encodeRange(range)
  if (common.has(text)) return
  const others = readRecentRanges()
    .map(encodeRange)
    .filter((each) => each !== text)
  writeStored(key, [text, ...others].slice(0, kept).join(' '))
}
