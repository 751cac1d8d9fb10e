import { decodeRange, defaultRange, type TimeRange } from '@/shared/lib/timeRange'
import { useScopeSearch } from './useScopeSearch'

/** The time range in the URL. */
export function useTimeRange(): TimeRange {
  const [search] = useScopeSearch()
  return decodeRange(search.dateRange ?? '') ?? defaultRange
}
