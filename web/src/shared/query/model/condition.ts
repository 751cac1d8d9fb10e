import type { Condition } from '@/shared/lib/filter'

export type { Condition, ConditionType, ConditionValue } from '@/shared/lib/filter'

/** The content of the query bar: conditions that must all be met, and text to search for. */
export type Query = { conditions: Condition[]; search: string }

export const emptyQuery: Query = { conditions: [], search: '' }

export function isEmptyQuery(query: Query): boolean {
  return query.conditions.length === 0 && query.search === ''
}

/** A key that two conditions share if and only if they mean the same. */
export function conditionKey({
  type,
  column,
  key,
  operator,
  value,
  conditions,
}: Condition): string {
  return JSON.stringify([
    type,
    column,
    key ?? '',
    operator,
    value ?? '',
    conditions?.map(conditionKey),
  ])
}
