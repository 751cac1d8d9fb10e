import { QueryView } from '@/shared/errors'
import { formatExact } from '@/shared/lib/format'
import { useImportPreview } from '../api/useImportPreview'
import type { FileRow } from '../model/csv'
import type { Import } from '../model/importRun'

type ImportPreviewProps = {
  projectId: string
  datasetId: string
  fileKey: string
  rows: readonly FileRow[]
  what: Import
}

/** The first rows of a file as the items that they would be. */
export function ImportPreview({ projectId, datasetId, fileKey, rows, what }: ImportPreviewProps) {
  const preview = useImportPreview(projectId, datasetId, { fileKey, rows, what })
  return (
    <QueryView query={preview} what="the preview" skeleton="h-24 w-full">
      {(found) =>
        found.length > 0 && (
          <ul
            aria-label="The first rows as items"
            // A region that scrolls has to be reachable by keyboard.
            // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
            tabIndex={0}
            className="flex max-h-56 flex-col overflow-y-auto rounded-md border border-border"
          >
            {found.map(({ line, reason, item }) => (
              <li
                key={line}
                className="flex min-w-0 flex-col gap-0.5 border-b border-border px-3 py-1.5 text-sm last:border-b-0"
              >
                <span className="tabular text-text-3">Line {formatExact(line)}</span>
                {reason !== undefined && <bdi className="break-words text-danger">{reason}</bdi>}
                {item?.id !== undefined && <Part name="Id" text={item.id} />}
                <Part name="Input" text={item?.input} />
                <Part name="Expected output" text={item?.expectedOutput} />
                <Part name="Metadata" text={item?.metadata} />
              </li>
            ))}
          </ul>
        )
      }
    </QueryView>
  )
}

function Part({ name, text }: { name: string; text: string | null | undefined }) {
  if (text === null || text === undefined) return null
  return (
    <span className="flex min-w-0 gap-2">
      <span className="shrink-0 text-text-3">{name}</span>
      <bdi className="min-w-0 truncate font-mono">{text}</bdi>
    </span>
  )
}
