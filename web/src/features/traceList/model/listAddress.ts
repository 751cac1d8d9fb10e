import { parseSearch, stringifySearch } from '@/shared/lib/search'
import type { TracesSearch } from '../search'
import type { Table } from './view'

/** What decides which rows a list has, and their order. Time range and environments are in the URL of every page. */
const kept = ['filter', 'search', 'sort', 'show'] as const

/** The list that a trace was opened from: its table, query and order, and the point in time up to which it shows rows. */
export type ListAddress = {
  table: Table
  search: Pick<TracesSearch, (typeof kept)[number]>
  asOf: Date
  /** The row of an observation: another one may have been chosen on the page since. */
  row: string | undefined
}

/** As written in the URL of a trace: traces?filter=…&sort=…&at=1760000000000. */
export function encodeList({ table, search, asOf, row }: ListAddress): string {
  const found: Record<string, string | undefined> = {}
  for (const name of kept) if (search[name]) found[name] = search[name]
  return table + stringifySearch({ ...found, at: String(asOf.getTime()), row })
}

export function decodeList(text: string | undefined): ListAddress | undefined {
  const [table, parameters = ''] = (text ?? '').split(/\?(.*)/s)
  if (table !== 'traces' && table !== 'observations') return undefined
  const found = parseSearch(parameters)
  const at = Number(found.at)
  const asOf = new Date(at)
  if (!Number.isSafeInteger(at) || at <= 0 || Number.isNaN(asOf.getTime())) return undefined
  const search: ListAddress['search'] = {}
  for (const name of kept) {
    const value = found[name]
    if (typeof value === 'string' && value !== '') search[name] = value
  }
  return { table, search, asOf, row: typeof found.row === 'string' ? found.row : undefined }
}
