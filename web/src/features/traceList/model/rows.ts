import type { UiComponents } from '@/shared/api'
import type { Table } from './view'

type TraceRow = UiComponents['schemas']['TraceRow']

/** A row of either table: an observation, or the one that represents its trace, with the totals of the trace. */
export type Row = UiComponents['schemas']['ObservationRow'] &
  Partial<
    Pick<TraceRow, 'totalTokens' | 'observations' | 'errors' | 'hasRoot' | 'public' | 'comments'>
  >

/** Observations need both ids, since traces may share observation ids. */
export function rowId(table: Table, row: Pick<Row, 'traceId' | 'id'>): string {
  return table === 'traces' ? row.traceId : observationRowId(row.traceId, row.id)
}

export function observationRowId(traceId: string, observationId: string): string {
  return `${traceId}/${observationId}`
}

/** The display name of a row. */
export function nameOf(table: Table, row: Row): string {
  const name = table === 'traces' ? row.traceName || row.name : row.name
  return name || (table === 'traces' ? row.traceId : row.id)
}

/** Output tokens per second, if the duration is known and not zero. */
export function tokensPerSecond(row: Row): number | undefined {
  if (row.latency === null || row.latency <= 0 || row.usage.output === 0) return undefined
  return row.usage.output / row.latency
}
