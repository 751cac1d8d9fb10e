import { fieldOfColumn, type Condition, type Query } from './query'

export type Facet = { column: string; label: string; isOpenAtFirst: boolean }

/** The facets beside the table, the most used first. */
export const facets: readonly Facet[] = [
  { column: 'level', label: 'Level', isOpenAtFirst: true },
  { column: 'type', label: 'Type', isOpenAtFirst: true },
  { column: 'traceName', label: 'Trace name', isOpenAtFirst: true },
  { column: 'name', label: 'Name', isOpenAtFirst: true },
  { column: 'model', label: 'Model', isOpenAtFirst: true },
  { column: 'environment', label: 'Environment', isOpenAtFirst: true },
  { column: 'tags', label: 'Tags', isOpenAtFirst: false },
  { column: 'userId', label: 'User', isOpenAtFirst: false },
  { column: 'sessionId', label: 'Session', isOpenAtFirst: false },
  { column: 'calledToolNames', label: 'Called tools', isOpenAtFirst: false },
  { column: 'promptName', label: 'Prompt', isOpenAtFirst: false },
  { column: 'version', label: 'Version', isOpenAtFirst: false },
  { column: 'release', label: 'Release', isOpenAtFirst: false },
  { column: 'statusMessage', label: 'Status message', isOpenAtFirst: false },
  { column: 'isRootObservation', label: 'Root', isOpenAtFirst: false },
  { column: 'experimentName', label: 'Experiment', isOpenAtFirst: false },
]

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
export function toggleValue(query: Query, column: string, value: string): Query {
  if (chosenValues(query, column).includes(value))
    return {
      ...query,
      // Several conditions may select it.
      conditions: query.conditions.flatMap((each) => {
        if (!choosesFrom(each, column)) return each
        const left = valuesOf(each).filter((other) => other !== value)
        return conditionOf(column, left) ?? []
      }),
    }
  const at = query.conditions.findIndex((each) => choosesFrom(each, column))
  const before = query.conditions[at]
  const values = before && takesSeveral(column) ? valuesOf(before) : []
  const condition = conditionOf(column, [...values, value])
  if (!condition) return query
  return {
    ...query,
    conditions: before ? query.conditions.with(at, condition) : [...query.conditions, condition],
  }
}

/** The query that selects only this value of a column. */
export function onlyValue(query: Query, column: string, value: string): Query {
  const condition = conditionOf(column, [value])
  const others = query.conditions.filter((each) => !choosesFrom(each, column))
  return { ...query, conditions: condition ? [...others, condition] : others }
}

function takesSeveral(column: string): boolean {
  const kind = fieldOfColumn(column)?.kind
  return kind === 'text' || kind === 'option' || kind === 'list'
}

const metadataPrefix = 'metadata.'

/** A condition that matches any of the values. */
function conditionOf(column: string, values: string[]): Condition | undefined {
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

/** The label of a column in facets, groups and differences. */
export function labelOf(column: string): string {
  return (
    facets.find((facet) => facet.column === column)?.label ?? fieldOfColumn(column)?.about ?? column
  )
}
