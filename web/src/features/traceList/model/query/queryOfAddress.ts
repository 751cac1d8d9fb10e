import { decodeFilter, encodeFilter } from '@/shared/lib/filter'
import type { Query } from './condition'
import { printCondition } from './print'

/** The query in a URL, and the parts of it that have no meaning here: they are reported, not applied. */
export function queryOfAddress(
  filter: string,
  search: string,
): { query: Query; unknown: string[] } {
  const { conditions, unknown } = decodeFilter(filter)
  const isKnown = (condition: (typeof conditions)[number]) =>
    printCondition(condition) !== undefined
  return {
    query: { conditions: conditions.filter(isKnown), search: search.trim() },
    unknown: [
      ...unknown,
      ...conditions.filter((each) => !isKnown(each)).map((each) => encodeFilter([each]) ?? ''),
    ],
  }
}
