import type { TraceRow } from '../api/useChatSession'

/** Shorter pauses are not shown. */
const shortestIdle = 30_000

type Timed = Pick<TraceRow, 'startTime' | 'endTime' | 'latency' | 'totalCost'>

/** A trace of a session, and what came before it. */
export type SessionTurn<Row extends Timed = TraceRow> = {
  row: Row
  /** The idle time before it in milliseconds, if it is long enough to mention. */
  idle: number | undefined
  /** Up to and including this trace, in US dollars. */
  costSoFar: number
}

/**
 * Traces in order, with the pauses between them. Traces may overlap: a pause begins when everything before it has
 * ended.
 */
export function toSessionTurns<Row extends Timed>(rows: readonly Row[]): SessionTurn<Row>[] {
  let costSoFar = 0
  let end: number | undefined
  return rows.map((row) => {
    const start = Date.parse(row.startTime)
    const idle = end === undefined ? 0 : start - end
    end = Math.max(end ?? start, endOf(row))
    costSoFar += row.totalCost ?? 0
    return { row, idle: idle >= shortestIdle ? idle : undefined, costSoFar }
  })
}

function endOf(row: Timed): number {
  if (row.endTime !== null) return Date.parse(row.endTime)
  return Date.parse(row.startTime) + (row.latency ?? 0) * 1000
}
