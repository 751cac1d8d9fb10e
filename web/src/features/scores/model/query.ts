import type { Condition, Query } from '@/shared/query'
import { dataTypes, sources } from '@/shared/scoring'
import type { ScoresSearch } from '../search'
import { scoreQueries } from './fields'

/** What the URL of the list says about its scores. Parameters of earlier links become conditions. */
export function questionOf(search: Partial<ScoresSearch>): { query: Query; unknown: string[] } {
  const { query, unknown } = scoreQueries.queryOfAddress(search.filter ?? '', '')
  const words = (search.search ?? '').trim()
  return {
    query: {
      search: '',
      conditions: [
        ...earlierConditions(search),
        ...query.conditions,
        ...(words === '' ? [] : [text('name', 'contains', words)]),
      ],
    },
    unknown,
  }
}

function earlierConditions({ name, source, dataType, ...range }: Partial<ScoresSearch>) {
  const found: Condition[] = []
  const anyOf = (column: string, value: string | undefined) => {
    if (value) found.push({ type: 'stringOptions', column, operator: 'any of', value: [value] })
  }
  anyOf('name', name)
  anyOf('source', sources.find(({ id }) => id === source)?.id)
  anyOf('dataType', dataTypes.find(({ id }) => id === dataType)?.id)
  if (dataType !== undefined && dataType !== '' && dataType !== 'NUMERIC') return found
  const bound = (operator: string, typed = '') => {
    const value = Number(typed)
    if (typed.trim() !== '' && Number.isFinite(value))
      found.push({ type: 'number', column: 'value', operator, value })
  }
  bound('>=', range.valueMin)
  bound('<=', range.valueMax)
  return found
}

function text(column: string, operator: string, value: string): Condition {
  return { type: 'string', column, operator, value }
}
