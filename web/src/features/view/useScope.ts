import { encodeRange, type TimeRange } from '@/lib/timeRange'
import { toList, toScope, type Scope } from './model/scope'
import { useMoment } from './useMoment'
import { useTimeRange } from './useTimeRange'
import { useViewSearch } from './useViewSearch'

/** What the address looks at. */
export function useScope(): {
  scope: Scope
  range: TimeRange
  /** The moment up to which the page looks. */
  asOf: Date
  refresh: () => void
} {
  const range = useTimeRange()
  const [{ environment }] = useViewSearch()
  const environments = toList(environment)
  const key = JSON.stringify([encodeRange(range), environments])
  const [asOf, refresh] = useMoment(key)
  return { scope: toScope(range, environments, asOf), range, asOf, refresh }
}
