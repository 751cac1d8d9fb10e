import type { Condition } from '@/shared/lib/filter'
import { formatMinute, type Zone } from '@/shared/lib/time'
import type { Export } from '../api/useExports'

/** How the query bar prints a condition, or a text that is searched for. */
export type Printer = {
  printCondition: (condition: Condition) => string | undefined
  printSearch: (search: string) => string
}

type Request = Export['request']

/** What an export selects, as in the query bar. Conditions that it does not know are named by their columns. */
export function queryOf(
  { filter, environment, search, datasetName }: Request,
  by: Printer,
): string {
  const conditions = (filter ?? []) as Condition[]
  return [
    ...conditions.map((each) => by.printCondition(each) ?? inWords(each)),
    ...(environment ?? []).slice(0, 1).map(() => `env:${listOf(environment ?? [])}`),
    ...(search ? [by.printSearch(search)] : []),
    ...(datasetName ? [`dataset:${quoted(datasetName)}`] : []),
  ].join(' ')
}

/** The time range of an export; undefined if it has none. */
export function rangeOf({ from, to }: Request, zone: Zone): string | undefined {
  const text = (at: string) => formatMinute(new Date(at), zone)
  if (from === null) return to === null ? undefined : `until ${text(to)}`
  return to === null ? `since ${text(from)}` : `${text(from)} – ${text(to)}`
}

function inWords({ column, operator, ...rest }: Condition): string {
  const key = 'key' in rest ? `.${rest.key}` : ''
  return `${column}${key} ${operator} ${JSON.stringify('value' in rest ? rest.value : '')}`
}

function listOf(values: readonly string[]): string {
  const all = values.map(quoted)
  return all.length === 1 ? (all[0] ?? '') : `(${all.join(' OR ')})`
}

function quoted(text: string): string {
  return /^[\w.-]+$/.test(text) ? text : JSON.stringify(text)
}
