import type { Selection, Table } from './view'
import { rowId, type Row } from './rows'

/** What has arrived since the rows were loaded, and the state of the connection. */
export type Live = {
  /** Each row once, in its current state, the latest arrivals first. */
  fresh: readonly Row[]
  /** The rows among them that were added above the loaded rows, where they stay. */
  streamed: ReadonlySet<Row>
  /** How many more arrived than are kept. */
  skipped: number
  /** The part of it that had arrived when a refetch of all rows began. */
  asked?: { fresh: ReadonlySet<Row>; skipped: number }
  connection: Connection
}

export type Connection =
  | { status: 'connecting' | 'open' | 'paused' }
  | { status: 'waiting'; message: string; seconds: number }
  | { status: 'refused'; message: string }

/** The maximum number of rows that are kept until they are shown, and of rows that stream in. */
export const mostFresh = 300

export const nothingYet: Live = {
  fresh: [],
  streamed: new Set(),
  skipped: 0,
  connection: { status: 'connecting' },
}

export type LiveAction =
  | { type: 'rows'; rows: readonly Row[]; skipped: number; table: Table }
  | { type: 'connection'; connection: Connection }
  /** Something was missed: it can be seen only after a reload. */
  | { type: 'gap' }
  | { type: 'shown' }
  | { type: 'streamed'; rows: readonly Row[] }
  /**
   * A refetch of all rows began or succeeded: its result includes what had arrived before it began, unless that was
   * deleted.
   */
  | { type: 'asked' | 'answered' }

/** A row that arrives again keeps its place: nothing moves because a trace has grown. */
export function reduceLive(live: Live, action: LiveAction): Live {
  switch (action.type) {
    case 'connection':
      return { ...live, connection: action.connection }
    case 'gap':
      return { ...live, skipped: live.skipped + 1 }
    case 'shown':
      return { ...live, fresh: [], streamed: new Set(), skipped: 0, asked: undefined }
    case 'streamed':
      return {
        ...live,
        fresh: live.fresh.slice(0, mostFresh),
        streamed: new Set(action.rows),
        skipped: live.skipped + Math.max(0, live.fresh.length - mostFresh),
      }
    case 'asked':
      return { ...live, asked: { fresh: new Set(live.fresh), skipped: live.skipped } }
    case 'answered': {
      const { asked } = live
      if (!asked) return live
      return {
        ...live,
        fresh: live.fresh.filter((row) => !asked.fresh.has(row)),
        skipped: live.skipped - asked.skipped,
        asked: undefined,
      }
    }
    case 'rows': {
      const now = new Map(action.rows.map((row) => [rowId(action.table, row), row]))
      const streamed = new Set<Row>()
      const kept = live.fresh.map((row) => {
        const id = rowId(action.table, row)
        const is = now.get(id) ?? row
        now.delete(id)
        if (live.streamed.has(row)) streamed.add(is)
        return is
      })
      const all = [...now.values(), ...kept]
      let room = mostFresh
      const fresh = all.filter((row) => streamed.has(row) || room-- > 0)
      const skipped = live.skipped + action.skipped + all.length - fresh.length
      return { ...live, fresh, streamed, skipped }
    }
  }
}

/** The loaded rows in their current state, the rows streamed in above them, and those that wait. */
export function withFresh(
  table: Table,
  loaded: readonly Row[],
  fresh: readonly Row[],
  streamed: ReadonlySet<Row>,
): Record<'streamed' | 'rows' | 'waiting', Row[]> {
  if (fresh.length === 0) return { streamed: [], rows: [...loaded], waiting: [] }
  const now = new Map(fresh.map((row) => [rowId(table, row), row]))
  const rows = loaded.flatMap((row) => {
    const is = now.get(rowId(table, row)) ?? row
    return streamed.has(is) ? [] : is
  })
  for (const row of rows) now.delete(rowId(table, row))
  const news = [...now.values()]
  return {
    streamed: news.filter((row) => streamed.has(row)),
    rows,
    waiting: news.filter((row) => !streamed.has(row)),
  }
}

/** The delay before the next attempt in seconds: exponential backoff with jitter. */
export function retryDelay(failures: number, random: number): number {
  return Math.min(30, 2 ** Math.min(failures, 10)) * (0.5 + random / 2)
}

/** The parameters for tailing a selection. Time ranges that end now have no bounds: what arrives is new. */
export function tailParameters(
  table: Table,
  selection: Selection,
  asked: { metadataKeys?: string[]; scores?: boolean },
): URLSearchParams {
  const parameters = new URLSearchParams({ kind: table, limit: '100' })
  if (selection.filter) parameters.set('filter', JSON.stringify(selection.filter))
  if (selection.search !== undefined) parameters.set('search', selection.search)
  if (selection.conditionsOn) parameters.set('conditionsOn', selection.conditionsOn)
  for (const name of selection.environment ?? []) parameters.append('environment', name)
  if (asked.scores) parameters.set('scores', 'true')
  for (const key of asked.metadataKeys ?? []) parameters.append('metadataKey', key)
  return parameters
}
