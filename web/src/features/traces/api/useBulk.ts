import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { projectApi, ui, unwrap } from '@/api'
import { inParts, runAll, type Progress } from '../model/runAll'
import type { Row } from '../model/rows'
import type { Selection, Table } from '../model/view'
import { loadRows } from './useRows'

/** What is done to many rows. */
export type BulkAction =
  | { kind: 'dataset'; datasetName: string; isNew: boolean; withOutput: boolean }
  | { kind: 'queue'; queueId: string }
  | { kind: 'delete' }

/** Rows that were picked, or everything that a selection has up to a moment. */
export type BulkTarget =
  { kind: 'rows'; rows: Row[] } | { kind: 'all'; selection: Selection; asOf: Date }

/** More than this is not done from a page. */
export const mostBulk = 10_000
const pageSize = 200
const deletedAtOnce = 100

/** Does something to many rows, with its progress. It ends when the page is left, or when it is cancelled. */
export function useBulk(projectId: string, table: Table) {
  const client = useQueryClient()
  const [progress, setProgress] = useState<Progress | undefined>(undefined)
  const cancel = useRef<AbortController | undefined>(undefined)
  const run = async (target: BulkTarget, action: BulkAction): Promise<Progress> => {
    const { signal } = (cancel.current = new AbortController())
    setProgress({ total: 0, done: 0, failures: [] })
    const rows =
      target.kind === 'rows' ? target.rows : await collect(projectId, table, target, signal)
    const result = await perform(projectId, table, rows, action, setProgress, signal)
    setProgress(result)
    // What is gone must not be listed any more, and names may be new.
    if (action.kind !== 'queue')
      await client.invalidateQueries({ queryKey: ['project', projectId] })
    return result
  }
  return {
    progress,
    run,
    cancel: () => cancel.current?.abort(),
  }
}

/** Everything that matched at a moment, page by page; what comes later is not part of it. */
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
        `More than ${mostBulk.toLocaleString('en-US')} match. Narrow the query or the time range.`,
      )
  } while (cursor !== undefined)
  return rows
}

async function perform(
  projectId: string,
  table: Table,
  rows: readonly Row[],
  action: BulkAction,
  onProgress: (progress: Progress) => void,
  signal: AbortSignal,
): Promise<Progress> {
  const api = projectApi(projectId)
  switch (action.kind) {
    case 'dataset':
      if (action.isNew)
        await unwrap(api.POST('/api/public/v2/datasets', { body: { name: action.datasetName } }))
      return runAll(rows, (row) => addItem(projectId, row, action), onProgress, signal)
    case 'queue':
      return runAll(
        rows,
        (row) =>
          unwrap(
            api.POST('/api/public/annotation-queues/{queueId}/items', {
              params: { path: { queueId: action.queueId } },
              body: {
                objectType: table === 'traces' ? 'TRACE' : 'OBSERVATION',
                objectId: table === 'traces' ? row.traceId : row.id,
                status: 'PENDING',
              },
            }),
          ),
        onProgress,
        signal,
      )
    case 'delete': {
      const parts = inParts([...new Set(rows.map((row) => row.traceId))], deletedAtOnce)
      return runAll(
        parts,
        (traceIds) => unwrap(api.DELETE('/api/public/traces', { body: { traceIds } })),
        onProgress,
        signal,
      )
    }
  }
}

/** Makes an item of a dataset with the whole input and output of an observation. */
async function addItem(
  projectId: string,
  row: Row,
  { datasetName, withOutput }: Extract<BulkAction, { kind: 'dataset' }>,
) {
  const { id: observationId, traceId } = row
  const params = { path: { projectId, observationId }, query: { traceId } }
  const detail = await unwrap(
    ui.GET('/api/ui/projects/{projectId}/observations/{observationId}/detail', { params }),
  )
  const whole = (field: 'input' | 'output') =>
    detail.cut[field]
      ? unwrap(
          ui.GET('/api/ui/projects/{projectId}/observations/{observationId}/io/{field}', {
            params: { ...params, path: { ...params.path, field } },
            parseAs: 'text',
          }),
        )
      : detail.texts[field]
  const input = await whole('input')
  const output = withOutput ? await whole('output') : null
  return unwrap(
    projectApi(projectId).POST('/api/public/dataset-items', {
      body: {
        datasetName,
        // An item needs an input.
        input: input ?? '{}',
        expectedOutput: output ?? undefined,
        sourceTraceId: traceId,
        sourceObservationId: observationId,
      },
    }),
  )
}
