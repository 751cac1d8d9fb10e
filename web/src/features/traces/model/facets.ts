import { fieldOfColumn, type Condition, type Query } from './query'

export type Facet = { column: string; label: string; isOpenAtFirst: boolean }

/** The facets beside the table, those that people narrow by most at the top. */
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

/** The values of a column that the query asks for. */
export function chosenValues(query: Query, column: string): string[] {
  return query.conditions.filter((each) => choosesFrom(each, column)).flatMap(valuesOf)
}

/** Whether the query asks for other values than these: what a facet shows of it would be a lie. */
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

/** As facets, groups and differences call it. */
function nameOf({ column, key }: Condition): string {
  return key === undefined ? column : `${column}.${key}`
}

function valuesOf({ value }: Condition): string[] {
  return Array.isArray(value) ? value : [String(value)]
}

/** The query that asks for a value, too, or, if it does, no longer. Values of one column are alternatives. */
export function toggleValue(query: Query, column: string, value: string): Query {
  if (chosenValues(query, column).includes(value))
    return {
      ...query,
      // Several conditions may ask for it.
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

/** The query that asks for this value of a column and no other. */
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

/** The condition that one of the values is there. */
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

/** What people call a column of facets, groups or differences. */
export function labelOf(column: string): string {
  return (
    facets.find((facet) => facet.column === column)?.label ?? fieldOfColumn(column)?.about ?? column
  )
}
