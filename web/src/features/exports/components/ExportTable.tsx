import { Ban, Download, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { LoadError, toastFailure } from '@/shared/errors'
import { ConfirmChange } from '@/shared/forms'
import { cx } from '@/shared/lib/cx'
import { formatBytes, formatExact } from '@/shared/lib/format'
import { usePreference } from '@/shared/lib/preference'
import { zonePreference } from '@/shared/lib/preferences'
import {
  actionsColumn,
  DataTable,
  listHeight,
  timeColumn,
  upcomingColumn,
  useTableState,
  type Column,
} from '@/shared/table'
import { Badge, buttonClass, EmptyState, IconButton, toast } from '@/shared/ui'
import { useCancelExport, useDeleteExport, useExports, type Export } from '../api/useExports'
import { queryOf, rangeOf, type Printer } from '../model/request'
import { describeState, isOpen, percentOf, tableLabel } from '../model/state'

/** Exports with their progress, newest first. */
export function ExportTable({ projectId, printer }: { projectId: string; printer: Printer }) {
  const zone = usePreference(zonePreference)
  const exports = useExports(projectId)
  const cancel = useCancelExport(projectId)
  const remove = useDeleteExport(projectId)
  const [state, setState] = useTableState()
  const [removed, setRemoved] = useState<Export>()
  const columns: Column<Export>[] = [
    {
      id: 'table',
      header: 'Table',
      width: 116,
      required: true,
      grows: true,
      cell: (row) => (
        <span title={row.fileName}>
          {tableLabel(row.table)}{' '}
          <span className="text-text-3">{row.compressed ? `${row.format}.gz` : row.format}</span>
        </span>
      ),
    },
    {
      id: 'query',
      header: 'Query',
      width: 120,
      grows: true,
      cell: (row) => {
        const query = queryOf(row.request, printer)
        if (query === '') return <span className="text-text-3">All rows</span>
        return (
          <code dir="auto" title={query} className="truncate font-mono text-sm">
            {query}
          </code>
        )
      },
    },
    {
      id: 'by',
      header: 'By',
      width: 90,
      cell: (row) => row.createdBy.name ?? row.createdBy.type,
    },
    {
      id: 'range',
      header: 'Time range',
      width: 170,
      cell: (row) => (
        <span className="tabular truncate" title={rangeOf(row.request, zone)}>
          {rangeOf(row.request, zone) ?? 'All time'}
        </span>
      ),
    },
    { id: 'state', header: 'State', width: 116, cell: (row) => <State of={row} /> },
    { id: 'rows', header: 'Rows', width: 72, align: 'end', cell: (row) => formatExact(row.rows) },
    { id: 'bytes', header: 'Size', width: 78, align: 'end', cell: (row) => formatBytes(row.bytes) },
    timeColumn('created', 'Created', (row) => row.createdAt, { width: 92 }),
    upcomingColumn('expires', 'Expires', (row) => row.expiresAt, { width: 76 }),
    actionsColumn<Export>((row) =>
      isOpen(row) ? (
        <IconButton
          size="sm"
          label={`Cancel ${row.fileName}`}
          icon={<Ban aria-hidden />}
          onPress={() =>
            cancel.mutate(row.id, { onError: toastFailure('The export could not be cancelled') })
          }
        />
      ) : (
        <IconButton
          size="sm"
          label={`Delete ${row.fileName}`}
          icon={<Trash2 aria-hidden />}
          onPress={() => setRemoved(row)}
        />
      ),
    ),
  ]
  return (
    <>
      <DataTable
        label="Exports"
        isMain
        columns={columns}
        rows={exports.data}
        rowId={(row) => row.id}
        state={state}
        onStateChange={setState}
        maxHeight={listHeight}
        error={
          exports.isError &&
          exports.data === undefined && <LoadError title="Couldn’t load exports" query={exports} />
        }
        empty={
          <EmptyState icon={<Download aria-hidden />} title="No exports yet">
            Tables of traces, observations, sessions, users and scores have an Export button, which
            creates a file with all matching rows, however many there are.
          </EmptyState>
        }
      />
      <ConfirmChange
        title="Delete the export"
        action="Delete export"
        change={remove}
        variables={removed?.id}
        onClose={() => setRemoved(undefined)}
        onDone={() => void toast('Deleted')}
      >
        The file is deleted immediately, and links to it stop working. The exported data is not
        affected.
      </ConfirmChange>
    </>
  )
}

function State({ of }: { of: Export }) {
  const percent = percentOf(of)
  const { label, tone } = describeState(of.state)
  if (of.downloadUrl !== null)
    return (
      <a
        href={of.downloadUrl}
        download={of.fileName}
        className={cx(buttonClass('secondary', 'sm'))}
      >
        <Download aria-hidden />
        Download
      </a>
    )
  return (
    <span className="flex min-w-0 items-center gap-2">
      <Badge tone={tone}>{percent === undefined ? label : `${label}, ${percent}%`}</Badge>
      {of.error !== null && (
        <span className="truncate text-sm text-text-2" title={of.error}>
          {of.error}
        </span>
      )}
    </span>
  )
}
