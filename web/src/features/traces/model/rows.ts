import type { UiComponents } from '@/api'
import type { Table } from './view'

type TraceRow = UiComponents['schemas']['TraceRow']

/** A row of either table: an observation, or the one that stands for its trace, with the totals of the trace. */
export type Row = UiComponents['schemas']['ObservationRow'] &
  Partial<Pick<TraceRow, 'totalTokens' | 'observations' | 'errors' | 'hasRoot' | 'public'>>

/** Traces may share ids of observations, so these need both. */
export function rowId(table: Table, row: Pick<Row, 'traceId' | 'id'>): string {
  return table === 'traces' ? row.traceId : observationRowId(row.traceId, row.id)
}

export function observationRowId(traceId: string, observationId: string): string {
  return `${traceId}/${observationId}`
}

/** What people call the row. */
export function nameOf(table: Table, row: Row): string {
  const name = table === 'traces' ? row.traceName || row.name : row.name
  return name || (table === 'traces' ? row.traceId : row.id)
}

/** Tokens that were written per second, if the answer took any time. */
export function tokensPerSecond(row: Row): number | undefined {
  if (row.latency === null || row.latency <= 0 || row.usage.output === 0) return undefined
  return row.usage.output / row.latency
}
