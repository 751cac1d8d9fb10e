import { decodeRange, defaultRange, type TimeRange } from '@/shared/lib/timeRange'
import { useViewSearch } from './useViewSearch'

/** The time range in the URL. */
export function useTimeRange(): TimeRange {
  const [search] = useViewSearch()
  return decodeRange(search.dateRange ?? '') ?? defaultRange
}
