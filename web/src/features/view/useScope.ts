import { encodeRange, type TimeRange } from '@/lib/timeRange'
import { toList, toScope, type Scope } from './model/scope'
import { useMoment } from './useMoment'
import { useTimeRange } from './useTimeRange'
import { useViewSearch } from './useViewSearch'

/** What the address looks at. */
export function useScope(): {
  scope: Scope
  range: TimeRange
  /** The same as long as the page looks at the same range and environments, whenever. */
  question: string
  /** The moment up to which the page looks. */
  asOf: Date
  refresh: () => void
} {
  const range = useTimeRange()
  const [{ environment }] = useViewSearch()
  const environments = toList(environment)
  const question = JSON.stringify([encodeRange(range), environments])
  const [asOf, refresh] = useMoment(question)
  return { scope: toScope(range, environments, asOf), range, question, asOf, refresh }
}
