import { decodeRange, defaultRange, type TimeRange } from '@/lib/timeRange'
import { useViewSearch } from './useViewSearch'

/** The range of time of the address. */
export function useTimeRange(): TimeRange {
  const [search] = useViewSearch()
  return decodeRange(search.dateRange ?? '') ?? defaultRange
}
