import { encodeRange, type TimeRange } from '@/shared/lib/timeRange'
import { toList, toScope, type Scope } from './model/scope'
import { useAsOf } from './useAsOf'
import { useTimeRange } from './useTimeRange'
import { useScopeSearch } from './useScopeSearch'

/** The time range and environments in the URL. */
export function useScope(): {
  scope: Scope
  range: TimeRange
  /** Identifies the query: unchanged as long as range and environments are the same, at whatever time. */
  resetKey: string
  /** The point in time up to which the page shows data. */
  asOf: Date
  refresh: () => void
} {
  const range = useTimeRange()
  const [{ environment }] = useScopeSearch()
  const environments = toList(environment)
  const resetKey = JSON.stringify([encodeRange(range), environments])
  const [asOf, refresh] = useAsOf(resetKey)
  return { scope: toScope(range, environments, asOf), range, resetKey, asOf, refresh }
}
