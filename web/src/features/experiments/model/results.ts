import type { TableState } from '@/shared/table'
import { dynamicId, dynamicKey } from '@/shared/table'
import type { Compared, ItemsQuery } from '../api/useComparison'

/** So many experiments are compared with the baseline. */
export const mostCandidates = 9

export const choices = [
  { id: 'everything', label: 'All items' },
  { id: 'regressions', label: 'Got worse' },
  { id: 'improvements', label: 'Got better' },
  { id: 'disagreements', label: 'Scores differ' },
  { id: 'missing', label: 'Missing in a run' },
  { id: 'errors', label: 'With errors' },
] as const

export type Choice = (typeof choices)[number]['id']

type Search = {
  baseline?: string
  c?: string | string[]
  lower?: string | string[]
  itemVisibility?: string
  only?: string
  measure?: string
}

/** What the address asks to compare; undefined without a baseline. */
export function comparedOf(search: Search): Compared | undefined {
  const { baseline } = search
  if (baseline === undefined || baseline === '') return undefined
  const candidates = [...new Set(listOf(search.c))]
    .filter((id) => id !== baseline)
    .slice(0, mostCandidates)
  const lower = listOf(search.lower)
  return {
    baseline,
    ...(candidates.length > 0 && { candidates }),
    ...(search.itemVisibility === 'all' && { items: 'all' as const }),
    ...(lower.length > 0 && { lowerIsBetter: lower }),
  }
}

/** Which items the address asks for, in which order. */
export function itemsQueryOf(compared: Compared, search: Search, state: TableState): ItemsQuery {
  const only = choiceOf(search.only)
  const sorted = measureColumn(state.sort?.column)
  const { measure } = search
  return {
    ...compared,
    ...(only !== 'everything' && { only }),
    ...(measure !== undefined && measure !== '' && { measure }),
    ...(sorted &&
      state.sort && {
        order: {
          measure: sorted.key,
          by: sorted.run === 0 ? ('baseline' as const) : ('difference' as const),
          direction: state.sort.direction,
          ...(sorted.run > 0 && { candidate: sorted.run }),
        },
      }),
  }
}

export function choiceOf(only: string | undefined): Choice {
  return choices.find(({ id }) => id === only)?.id ?? 'everything'
}

/** The id of the column of a measure of a run; 0 is the baseline. */
export function measureColumnId(run: number, key: string): string {
  return dynamicId('scores', `${run} ${key}`)
}

function measureColumn(id: string | undefined): { run: number; key: string } | undefined {
  const [, run, key] = /^(\d) (.+)$/s.exec(dynamicKey('scores', id ?? '') ?? '') ?? []
  return run === undefined || key === undefined ? undefined : { run: Number(run), key }
}

export function listOf(value: string | string[] | undefined): string[] {
  return value === undefined ? [] : Array.isArray(value) ? value : [value]
}
