import { countOf } from '@/shared/lib/format'
import type { Export } from '../api/useExports'

type Tone = 'neutral' | 'accent' | 'success' | 'warning' | 'danger'

const states: Record<Export['state'], { label: string; tone: Tone }> = {
  queued: { label: 'Waiting', tone: 'neutral' },
  running: { label: 'Running', tone: 'accent' },
  done: { label: 'Ready', tone: 'success' },
  failed: { label: 'Failed', tone: 'danger' },
  cancelled: { label: 'Cancelled', tone: 'neutral' },
  expired: { label: 'Expired', tone: 'neutral' },
}

export function describeState(state: Export['state']): { label: string; tone: Tone } {
  return states[state]
}

/** Whether the server is still working on it. */
export function isOpen({ state }: Pick<Export, 'state'>): boolean {
  return state === 'queued' || state === 'running'
}

/** The written share in percent; undefined if unknown. */
export function percentOf({
  state,
  rows,
  totalRows,
}: Pick<Export, 'state' | 'rows' | 'totalRows'>): number | undefined {
  if (state !== 'running' || totalRows === null) return undefined
  return totalRows === 0 ? 0 : Math.min(99, Math.floor((100 * rows) / totalRows))
}

/** How far an export is, in words. */
export function progressOf(of: Pick<Export, 'state' | 'rows' | 'totalRows'>) {
  const percent = percentOf(of)
  const { label } = describeState(of.state)
  if (of.state !== 'running') return { text: label, percent }
  const rows = countOf(of.rows, 'row')
  return { text: percent === undefined ? rows : `${percent}%, ${rows}`, percent }
}

const tables: Record<string, string> = {
  observations: 'Observations',
  traces: 'Traces',
  sessions: 'Sessions',
  users: 'Users',
  scores: 'Scores',
  dataset_items: 'Dataset items',
  dataset_run_items: 'Dataset run items',
  audit_logs: 'Audit log',
}

export function tableLabel(table: string): string {
  return tables[table] ?? table
}
