import { formatExact } from '@/shared/lib/format'
import { useEffect, useRef, useState } from 'react'
import {
  projectApi,
  scopesOfScores,
  scopesOfTraces,
  unwrap,
  useRefresh,
  type ProjectScope,
} from '@/shared/api'
import { addDatasetItem, addQueueItem, createDataset, type DatasetChoice } from '@/shared/addTo'
import { newScore, type NewScore, type ScoreConfig, type ScoreValues } from '@/shared/scoring'
import { inParts, runAll, runParts, type Progress } from '../model/runAll'
import type { Row } from '../model/rows'
import type { Selection, Table } from '../model/view'
import { loadRows } from './loadRows'
import { markTraces, restoreMarks, type MarkChange, type MarkedTrace } from './markTraces'

/** An action on many rows. */
export type BulkAction =
  | ({ kind: 'dataset' } & DatasetChoice)
  | { kind: 'queue'; queueId: string }
  | { kind: 'score'; values: ScoreValues; config: ScoreConfig | undefined }
  | ({ kind: 'mark' } & MarkChange)
  | { kind: 'delete' }

/** The selected rows, or everything that matches a query up to a point in time. */
export type BulkTarget =
  { kind: 'rows'; rows: Row[] } | { kind: 'all'; selection: Selection; asOf: Date }

/** What the user is asked to confirm: the action, its target, and the number of rows. */
export type Bulk = { kind: BulkAction['kind']; target: BulkTarget; count: number }

/** The maximum number of rows for a bulk action from the page. */
export const mostBulk = 10_000
const pageSize = 200
const deletedAtOnce = 100
const scoredAtOnce = 100

/** What marks are shown in: lists, counts, facets, and the traces themselves. */
const scopesOfMarks: readonly ProjectScope[] = ['rows', 'entities', 'metrics', 'trace']

/** What an action changes: deleted rows must not be listed, and there may be new names. */
const changedBy: Record<BulkAction['kind'], readonly ProjectScope[]> = {
  dataset: ['datasets'],
  queue: [],
  score: scopesOfScores,
  mark: scopesOfMarks,
  delete: scopesOfTraces,
}

/** Performs an action on many rows and reports progress. It stops when the page is left or the action is cancelled. */
export function useBulk(projectId: string, table: Table) {
  const refresh = useRefresh(projectId)
  const [progress, setProgress] = useState<Progress | undefined>(undefined)
  const cancel = useRef<AbortController | undefined>(undefined)
  // What traces were marked with before the last action.
  const [marked, setMarked] = useState<readonly MarkedTrace[]>([])
  // A running action is outside React: it must not go on where nobody can cancel it.
  useEffect(() => () => cancel.current?.abort(), [])
  const run = async (target: BulkTarget, action: BulkAction): Promise<Progress> => {
    const { signal } = (cancel.current = new AbortController())
    setProgress({ total: 0, done: 0, failures: [] })
    const before: MarkedTrace[] = []
    const rows =
      target.kind === 'rows' ? target.rows : await collect(projectId, table, target, signal)
    const result =
      action.kind === 'mark'
        ? await markTraces(projectId, rows, action, before, setProgress, signal)
        : await perform(projectId, table, rows, action, setProgress, signal)
    setMarked(before)
    setProgress(result)
    // The result does not wait for this.
    void refresh(...changedBy[action.kind])
    return result
  }
  /** Gives the traces back the marks that they had, as far as the last action changed them. */
  const undo = async (change: MarkChange): Promise<Progress> => {
    const { signal } = (cancel.current = new AbortController())
    setProgress({ total: 0, done: 0, failures: [] })
    const result = await runAll(
      marked,
      (each) => restoreMarks(projectId, each, change),
      setProgress,
      signal,
    )
    setProgress(result)
    void refresh(...scopesOfMarks)
    return result
  }
  return {
    progress,
    run,
    /** undefined where the last action cannot be undone. */
    undo: marked.length === 0 ? undefined : undo,
    cancel: () => cancel.current?.abort(),
  }
}

/** Everything that matched at a point in time, page by page; later rows are not included. */
async function collect(
  projectId: string,
  table: Table,
  { selection, asOf }: Extract<BulkTarget, { kind: 'all' }>,
  signal: AbortSignal,
): Promise<Row[]> {
  const rows: Row[] = []
  let cursor: string | undefined
  do {
    const body = { ...selection, to: selection.to ?? asOf.toISOString(), cursor, limit: pageSize }
    const page = await loadRows(projectId, table, body, signal)
    rows.push(...page.rows)
    cursor = page.cursor ?? undefined
    if (rows.length > mostBulk)
      throw new Error(
        `More than ${formatExact(mostBulk)} match. Narrow the query or the time range.`,
      )
  } while (cursor !== undefined)
  return rows
}

async function perform(
  projectId: string,
  table: Table,
  rows: readonly Row[],
  action: Exclude<BulkAction, { kind: 'mark' }>,
  onProgress: (progress: Progress) => void,
  signal: AbortSignal,
): Promise<Progress> {
  const subjectOf = (row: Row) => ({
    traceId: row.traceId,
    observationId: table === 'traces' ? undefined : row.id,
  })
  switch (action.kind) {
    case 'dataset': {
      if (action.isNew) await createDataset(projectId, action.datasetName)
      const add = ({ traceId, id }: Row) =>
        addDatasetItem(
          projectId,
          { traceId, observationId: id, isTrace: table === 'traces' },
          action,
        )
      return runAll(rows, add, onProgress, signal)
    }
    case 'queue': {
      const add = (row: Row) => addQueueItem(projectId, action.queueId, subjectOf(row))
      return runAll(rows, add, onProgress, signal)
    }
    case 'score': {
      const { values, config } = action
      const add = (part: readonly Row[]) =>
        addScores(
          projectId,
          part.map((row) =>
            newScore(values, config, { ...subjectOf(row), environment: row.environment }),
          ),
        )
      return runParts(inParts(rows, scoredAtOnce), add, onProgress, signal)
    }
    case 'delete': {
      const parts = inParts([...new Set(rows.map((row) => row.traceId))], deletedAtOnce)
      const remove = async (traceIds: readonly string[]) => {
        const body = { traceIds: [...traceIds] }
        await unwrap(projectApi(projectId).DELETE('/traces', { body }))
        return []
      }
      return runParts(parts, remove, onProgress, signal)
    }
  }
}

/** Stores scores and returns the reasons for those that were refused. */
async function addScores(projectId: string, body: NewScore[]): Promise<string[]> {
  const answer = await unwrap(projectApi(projectId).POST('/scores', { body }))
  return 'errors' in answer ? answer.errors.map(({ message }) => message) : []
}
