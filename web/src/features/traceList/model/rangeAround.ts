import { commonRanges, resolveRange, type TimeRange } from '@/shared/lib/timeRange'

const day = 86_400_000

/** The shortest preset range that reaches back to a point in time; the day around it, if none does. */
export function rangeAround(at: Date, now: Date): TimeRange {
  const usual = commonRanges.find((range) => resolveRange(range, now).from <= at)
  if (usual && at <= now) return usual
  return {
    kind: 'between',
    from: new Date(at.getTime() - day / 2),
    to: new Date(at.getTime() + day / 2),
  }
}
