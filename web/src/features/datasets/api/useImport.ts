import { projectAddress, projectApi, unwrap, type UiComponents } from '@/shared/api'
import { saveFrom } from '@/shared/lib/saveBlob'

type Request = UiComponents['schemas']['DatasetImport']

/** Imports some rows, or says what would become of them. */
export function importPart(
  projectId: string,
  datasetId: string,
  body: Request,
  signal?: AbortSignal,
) {
  return unwrap(
    projectApi(projectId).POST('/datasets/{datasetId}/import', {
      params: { path: { datasetId } },
      body,
      ...(signal && { signal }),
    }),
  )
}

export type ExportFormat = 'csv' | 'json' | 'jsonl'

/** Downloads all items of a dataset, now or as of a time. The browser writes them to the file as they arrive. */
export function downloadItems(
  projectId: string,
  dataset: { id: string; name: string },
  format: ExportFormat,
  asOf: string | undefined,
) {
  const version = asOf === undefined ? '' : `&version=${encodeURIComponent(asOf)}`
  const path = `datasets/${encodeURIComponent(dataset.id)}/export?format=${format}${version}`
  const name = dataset.name.replaceAll(/[^A-Za-z0-9._-]+/g, '-').slice(0, 100)
  saveFrom(projectAddress(projectId, path), `${name}.${format}`)
}
