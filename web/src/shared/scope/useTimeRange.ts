import type { TimeRange } from '@/shared/lib/timeRange'
import { rangeOf } from './model/scope'
import { useScopeSearch } from './useScopeSearch'

/** The time range in the URL. */
export function useTimeRange(): TimeRange {
  const [search] = useScopeSearch()
  return rangeOf(search.dateRange)
}
