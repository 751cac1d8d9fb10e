import { encodeRange, type TimeRange } from '@/shared/lib/timeRange'
import { rangeOf, toList } from '@/shared/scope'
import { dynamicKeys, type TableState } from '@/shared/table'
import { observationQueries, traceQueries, type Query } from './query'
import type { Table } from './view'

/** What the URL of a table says about its rows. */
export type Question = {
  table: Table
  query: Query
  /** Parts of the URL that have no meaning here. */
  unknown: string[]
  range: TimeRange
  environment: string[]
  /** Identifies the query: unchanged as long as the same is requested, at whatever time. */
  resetKey: string
}

type QuestionSearch = {
  filter?: string
  search?: string
  dateRange?: string
  environment?: string | string[]
}

/** The language of the query bar of a table. */
export function languageOf(table: Table) {
  return table === 'traces' ? traceQueries : observationQueries
}

export function questionOf(
  table: Table,
  { filter, search, dateRange, environment }: QuestionSearch,
): Question {
  const range = rangeOf(dateRange)
  const environments = toList(environment)
  return {
    table,
    ...languageOf(table).queryOfAddress(filter ?? '', search ?? ''),
    range,
    environment: environments,
    resetKey: JSON.stringify([filter, search, encodeRange(range), environments]),
  }
}

const orders = ['startTime', 'latency', 'totalCost', 'totalTokens'] as const
const mostKeys = 20

export type RowOptions = { order?: Order; metadataKeys?: string[]; scores?: boolean }
type Order = { column: (typeof orders)[number]; direction: 'asc' | 'desc' }

/** What the visible columns need beyond the row itself. */
export function rowOptionsOf(state: TableState): RowOptions {
  const column = orders.find((each) => each === state.sort?.column)
  const keys = dynamicKeys('metadata', state.shown).slice(0, mostKeys)
  const hasScores = state.shown?.includes('scores') || dynamicKeys('scores', state.shown).length > 0
  return {
    ...(column !== undefined &&
      state.sort && { order: { column, direction: state.sort.direction } }),
    ...(keys.length > 0 && { metadataKeys: keys }),
    ...(hasScores && { scores: true }),
  }
}
