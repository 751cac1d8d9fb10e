import { dataTypes, sources } from '@/shared/scoring'
import type { Scope } from '@/shared/scope'
import type { Condition } from '@/shared/lib/filter'
import type { ScoresSearch } from '../search'
import { analysedTypes } from './points'

export function dataTypeLabel(dataType: string): string {
  return dataTypes.find(({ id }) => id === dataType)?.label ?? dataType
}

/** The parameters of GET v3/scores for the search parameters of a page. Invalid ones are ignored. */
export function scoresQuery(search: ScoresSearch, scope: Scope) {
  const source = sources.find(({ id }) => id === search.source)?.id
  const dataType = dataTypes.find(({ id }) => id === search.dataType)?.id
  const isNumber = dataType === 'NUMERIC'
  const valueMin = isNumber ? numberOf(search.valueMin) : undefined
  const valueMax = isNumber ? numberOf(search.valueMax) : undefined
  return {
    ...(search.name !== undefined && search.name !== '' && { name: search.name }),
    ...(source && { source }),
    ...(dataType && { dataType }),
    ...(valueMin !== undefined && { valueMin }),
    ...(valueMax !== undefined && { valueMax }),
    ...(scope.environment && { environment: scope.environment.join(',') }),
    fromTimestamp: scope.from,
    ...(scope.to !== undefined && { toTimestamp: scope.to }),
  }
}

/** The same scores as an export filter. */
export function scoresSelection(search: ScoresSearch, scope: Scope) {
  const { name, source, dataType, valueMin, valueMax } = scoresQuery(search, scope)
  const filter: Condition[] = []
  for (const [column, value] of Object.entries({ name, source, dataType }))
    if (value !== undefined) filter.push({ type: 'string', column, operator: '=', value })
  if (valueMin !== undefined)
    filter.push({ type: 'number', column: 'value', operator: '>=', value: valueMin })
  if (valueMax !== undefined)
    filter.push({ type: 'number', column: 'value', operator: '<=', value: valueMax })
  return { ...scope, ...(filter.length > 0 && { filter }) }
}

export function isFiltered({ name = '', source = '', dataType = '' }: ScoresSearch): boolean {
  return name !== '' || source !== '' || dataType !== ''
}

/** Whether analytics support scores of this type. */
export function isAnalysed(dataType: string): boolean {
  return analysedTypes.some((each) => each === dataType)
}

function numberOf(text: string | undefined): number | undefined {
  const number = Number(text)
  return text === undefined || text.trim() === '' || !Number.isFinite(number) ? undefined : number
}
