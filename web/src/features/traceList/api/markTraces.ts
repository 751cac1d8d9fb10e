import { projectApi, unwrap, type UiComponents } from '@/shared/api'
import { inParts, runParts, type Progress } from '../model/runAll'
import type { Row } from '../model/rows'

/** What many traces are marked with. Their other tags stay. */
export type MarkChange = { bookmarked?: boolean; addTags?: string[]; removeTags?: string[] }

/** What people had set on a trace; null is what its spans say. */
export type MarkedTrace = UiComponents['schemas']['ManyMarks']['marked'][number]

const atOnce = 100

/** Marks the traces of rows, and collects in `before` what they had. */
export function markTraces(
  projectId: string,
  rows: readonly Row[],
  { bookmarked, addTags, removeTags }: MarkChange,
  before: MarkedTrace[],
  onProgress: (progress: Progress) => void,
  signal: AbortSignal,
): Promise<Progress> {
  const parts = inParts([...new Set(rows.map(({ traceId }) => traceId))], atOnce)
  const mark = async (traceIds: readonly string[]) => {
    const body = { traceIds: [...traceIds], bookmarked, addTags, removeTags }
    const { marked, failed } = await unwrap(projectApi(projectId).POST('/traces/marks', { body }))
    before.push(...marked)
    return failed.map(({ message }) => message)
  }
  return runParts(parts, mark, onProgress, signal)
}

/** Gives a trace back what it had, as far as a change was about it. */
export function restoreMarks(
  projectId: string,
  { traceId, bookmarked, tags }: MarkedTrace,
  change: MarkChange,
) {
  const body = {
    ...(change.bookmarked !== undefined && { bookmarked }),
    ...((change.addTags ?? change.removeTags) && { tags }),
  }
  return unwrap(
    projectApi(projectId).PATCH('/traces/{traceId}/marks', { params: { path: { traceId } }, body }),
  )
}
