import { useState } from 'react'
import { encodeRange, type TimeRange } from '@/lib/timeRange'
import { useNow } from '@/ui'
import { toList, toScope, type Scope } from './model/scope'
import { useTimeRange } from './useTimeRange'
import { useViewSearch } from './useViewSearch'

/** What the address looks at. The moment stays the same until something changes, so that all parts of a page agree. */
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
  const now = useNow().getTime()
  const [moment, setMoment] = useState({ key, at: now })
  if (moment.key !== key) setMoment({ key, at: now })
  const asOf = new Date(moment.at)
  return {
    scope: toScope(range, environments, asOf),
    range,
    asOf,
    refresh: () => setMoment({ key, at: Date.now() }),
  }
}
