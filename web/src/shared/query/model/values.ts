import { groupOf } from '@/shared/lib/filter'
import type { Condition, Query } from './condition'
import type { QueryLanguage } from './language'

type Language = Pick<QueryLanguage, 'fieldOfColumn'>

/** The values of a column that the query selects. */
export function chosenValues(query: Query, column: string): string[] {
  return query.conditions.filter((each) => choosesFrom(each, column)).flatMap(valuesOf)
}

/** Whether a condition selects values of a column, in a way that its facet can show. */
function choosesFrom(condition: Condition, column: string): boolean {
  if (nameOf(condition) !== column) return false
  switch (condition.type) {
    case 'stringOptions':
    case 'arrayOptions':
    case 'categoryOptions':
      return condition.operator === 'any of'
    case 'boolean':
    case 'number':
    case 'stringObject':
      return condition.operator === '='
    default:
      return false
  }
}

/** The name of its column in facets, groups and differences. */
function nameOf({ column, key }: Condition): string {
  return key === undefined ? column : `${column}.${key}`
}

function valuesOf({ value }: Condition): string[] {
  return Array.isArray(value) ? value : [String(value)]
}

/** Adds a value to the query, or removes it if it is there. Values of one column are alternatives. */
export function toggleValue(
  query: Query,
  column: string,
  value: string,
  language: Language,
): Query {
  if (!chosenValues(query, column).includes(value))
    return includeValue(query, column, value, language)
  return {
    ...query,
    // Several conditions may select it.
    conditions: query.conditions.flatMap((each) => {
      if (!choosesFrom(each, column)) return each
      const left = valuesOf(each).filter((other) => other !== value)
      return conditionOf(column, left, language) ?? []
    }),
  }
}

/** The query that selects a value of a column, beside others of the column that it selects already. */
export function includeValue(
  query: Query,
  column: string,
  value: string,
  language: Language,
): Query {
  // One that was excluded is wanted after all.
  const { conditions, ...rest } = withoutExclusion(query, column, value)
  if (chosenValues(query, column).includes(value)) return { ...rest, conditions }
  const at = conditions.findIndex((each) => choosesFrom(each, column))
  const before = conditions[at]
  const values = before && takesSeveral(column, language) ? valuesOf(before) : []
  const condition = conditionOf(column, [...values, value], language)
  if (!condition) return query
  return {
    ...rest,
    conditions: before ? conditions.with(at, condition) : [...conditions, condition],
  }
}

/** The query that finds nothing with a value of a column. */
export function excludeValue(
  query: Query,
  column: string,
  value: string,
  language: Language,
): Query {
  const isChosen = chosenValues(query, column).includes(value)
  const start = isChosen ? toggleValue(query, column, value, language) : query
  const at = start.conditions.findIndex((each) => excludesFrom(each, column))
  const before = start.conditions[at]
  const values = before ? valuesOf(before) : []
  if (values.includes(value)) return start
  const positive = conditionOf(column, [...values, value], language)
  const condition = positive && negated(positive)
  if (!condition) return query
  return {
    ...start,
    conditions: before ? start.conditions.with(at, condition) : [...start.conditions, condition],
  }
}

/** The query that selects only this value of a column. */
export function onlyValue(query: Query, column: string, value: string, language: Language): Query {
  const condition = conditionOf(column, [value], language)
  const others = query.conditions.filter((each) => !choosesFrom(each, column))
  return { ...query, conditions: condition ? [...others, condition] : others }
}

function excludesFrom(condition: Condition, column: string): boolean {
  return condition.operator === 'none of' && nameOf(condition) === column
}

function withoutExclusion(query: Query, column: string, value: string): Query {
  return {
    ...query,
    conditions: query.conditions.flatMap((each) => {
      if (!excludesFrom(each, column)) return each
      const left = valuesOf(each).filter((other) => other !== value)
      return left.length === 0 ? [] : { ...each, value: left }
    }),
  }
}

function negated(condition: Condition): Condition {
  if (condition.operator === 'any of') return { ...condition, operator: 'none of' }
  if (condition.type === 'boolean') return { ...condition, value: condition.value !== true }
  return groupOf('not', [condition])
}

function takesSeveral(column: string, { fieldOfColumn }: Language): boolean {
  const kind = fieldOfColumn(column)?.kind
  return kind === 'text' || kind === 'option' || kind === 'list'
}

const metadataPrefix = 'metadata.'

/** A condition that matches any of the values. */
function conditionOf(
  column: string,
  values: string[],
  { fieldOfColumn }: Language,
): Condition | undefined {
  const [only] = values
  if (only === undefined) return undefined
  if (column.startsWith(metadataPrefix))
    return {
      type: 'stringObject',
      column: 'metadata',
      key: column.slice(metadataPrefix.length),
      operator: '=',
      value: only,
    }
  switch (fieldOfColumn(column)?.kind) {
    case 'list':
      return { type: 'arrayOptions', column, operator: 'any of', value: values }
    case 'boolean':
      return { type: 'boolean', column, operator: '=', value: only === 'true' }
    case 'number':
      return { type: 'number', column, operator: '=', value: Number(only) }
    default:
      return { type: 'stringOptions', column, operator: 'any of', value: values }
  }
}
