/** A condition as the server takes it; see FilterCondition in api/ui.yaml. */
export type Condition = {
  type: ConditionType
  column: string
  /** Of metadata and scores. */
  key?: string
  operator: string
  value?: ConditionValue
}

export type ConditionValue = string | number | boolean | string[]

export type ConditionType =
  | 'string'
  | 'stringOptions'
  | 'arrayOptions'
  | 'number'
  | 'datetime'
  | 'boolean'
  | 'stringObject'
  | 'numberObject'
  | 'booleanObject'
  | 'null'

/** What a query bar says: conditions that must all be met, and words to look for. */
export type Query = { conditions: Condition[]; search: string }

export const emptyQuery: Query = { conditions: [], search: '' }

export function isEmptyQuery(query: Query): boolean {
  return query.conditions.length === 0 && query.search === ''
}

/** A text that two conditions share if, and only if, they say the same. */
export function conditionKey({ type, column, key, operator, value }: Condition): string {
  return JSON.stringify([type, column, key ?? '', operator, value ?? ''])
}
