import type { Selection, Table } from './view'
import { rowId, type Row } from './rows'

/** What has come since the rows were loaded, and how the line to the server is. */
export type Live = {
  /** Each row once, as it is now: those that came last first. */
  fresh: readonly Row[]
  /** How many more came than are kept. */
  skipped: number
  /** What of it had come when all rows were asked for again. */
  asked?: { fresh: ReadonlySet<Row>; skipped: number }
  line: Line
}

export type Line =
  | { is: 'connecting' | 'open' | 'paused' }
  | { is: 'waiting'; message: string; seconds: number }
  | { is: 'refused'; message: string }

/** How many rows are kept until somebody wants to see them. */
export const mostFresh = 300

export const nothingYet: Live = { fresh: [], skipped: 0, line: { is: 'connecting' } }

export type LiveAction =
  | { type: 'rows'; rows: readonly Row[]; skipped: number; table: Table }
  | { type: 'line'; line: Line }
  /** Something was missed: who wants to see it has to load again. */
  | { type: 'gap' }
  | { type: 'shown' }
  /** All rows are asked for again, and have come: they have what had come until then, unless it is deleted. */
  | { type: 'asked' | 'answered' }

/** A row that comes again stays where it is: nothing moves because something was added to a trace. */
export function reduceLive(live: Live, action: LiveAction): Live {
  switch (action.type) {
    case 'line':
      return { ...live, line: action.line }
    case 'gap':
      return { ...live, skipped: live.skipped + 1 }
    case 'shown':
      return { ...live, fresh: [], skipped: 0, asked: undefined }
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
      const kept = live.fresh.map((row) => {
        const id = rowId(action.table, row)
        const again = now.get(id)
        now.delete(id)
        return again ?? row
      })
      const all = [...now.values(), ...kept]
      return {
        ...live,
        fresh: all.slice(0, mostFresh),
        skipped: live.skipped + action.skipped + Math.max(0, all.length - mostFresh),
      }
    }
  }
}

/** What has come, beside the rows that were loaded: these as they are now, and those that are new. */
export function withFresh(
  table: Table,
  loaded: readonly Row[],
  fresh: readonly Row[],
): { rows: Row[]; news: Row[] } {
  if (fresh.length === 0) return { rows: [...loaded], news: [] }
  const now = new Map(fresh.map((row) => [rowId(table, row), row]))
  const rows = loaded.map((row) => {
    const id = rowId(table, row)
    const again = now.get(id)
    now.delete(id)
    return again ?? row
  })
  return { rows, news: [...now.values()] }
}

/** How long to wait before the next try, in seconds: twice as long each time, and not all browsers at once. */
export function retryDelay(failures: number, random: number): number {
  return Math.min(30, 2 ** Math.min(failures, 10)) * (0.5 + random / 2)
}

/** The parameters of a tail of a selection. Time ranges that end now have no bounds: what comes is new. */
export function tailParameters(
  table: Table,
  selection: Selection,
  asked: { metadataKeys?: string[]; scores?: boolean },
): URLSearchParams {
  const parameters = new URLSearchParams({ kind: table, limit: '100' })
  if (selection.filter) parameters.set('filter', JSON.stringify(selection.filter))
  if (selection.search !== undefined) parameters.set('search', selection.search)
  for (const name of selection.environment ?? []) parameters.append('environment', name)
  if (asked.scores) parameters.set('scores', 'true')
  for (const key of asked.metadataKeys ?? []) parameters.append('metadataKey', key)
  return parameters
}
