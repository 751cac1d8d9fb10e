import { useQuery } from '@tanstack/react-query'
import { projectKey } from '@/shared/api'
import type { FileRow } from '../model/csv'
import { requestFor, type Import } from '../model/importRun'
import { importPart } from './useImport'

/** So many rows are shown as they would be stored, if they are not too long. */
export const previewRows = 5
const previewLength = 200_000

/** The items that the first rows of a file make. fileKey tells one file from another. */
export function useImportPreview(
  projectId: string,
  datasetId: string,
  file: { fileKey: string; rows: readonly FileRow[]; what: Import } | undefined,
) {
  return useQuery({
    queryKey: projectKey(
      projectId,
      'datasets',
      'importPreview',
      datasetId,
      file?.fileKey,
      file?.what,
    ),
    enabled: file !== undefined,
    gcTime: 0,
    queryFn: async ({ signal }) => {
      if (!file) return []
      const rows = shortRows(file.rows)
      if (rows.length === 0) return []
      const request = requestFor(file.what, rows, true, previewRows)
      const answer = await importPart(projectId, datasetId, request, signal)
      const reasons = new Map(answer.refused.map(({ row, reason }) => [row, reason]))
      const previews = new Map(answer.previews.map((preview) => [preview.row, preview]))
      return rows.map(({ line }, at) => ({
        line,
        reason: reasons.get(at),
        item: previews.get(at),
      }))
    },
  })
}

function shortRows(rows: readonly FileRow[]): FileRow[] {
  let length = 0
  return rows
    .filter((row) => row.problem === undefined)
    .slice(0, previewRows)
    .filter((row) => {
      length += row.json?.length ?? row.cells?.join('').length ?? 0
      return length <= previewLength
    })
}
