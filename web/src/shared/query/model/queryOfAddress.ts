import { decodeFilter, encodeFilter } from '@/shared/lib/filter'
import type { Query } from './condition'
import type { FieldSet } from './fields'
import { printCondition } from './print'

/** The query in a URL, and the parts of it that have no meaning here: they are reported, not applied. */
export function queryOfAddress(
  filter: string,
  search: string,
  fields: FieldSet,
): { query: Query; unknown: string[] } {
  const { conditions, unknown } = decodeFilter(filter)
  const isKnown = (condition: (typeof conditions)[number]) =>
    printCondition(condition, fields) !== undefined
  return {
    query: { conditions: conditions.filter(isKnown), search: search.trim() },
    unknown: [
      ...unknown,
      ...conditions.filter((each) => !isKnown(each)).map((each) => encodeFilter([each]) ?? ''),
    ],
  }
}
