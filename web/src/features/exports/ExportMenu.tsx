import { useNavigate } from '@tanstack/react-router'
import { Download } from 'lucide-react'
import { toastFailure } from '@/shared/errors'
import { useProject } from '@/shared/currentUser'
import { projectPath } from '@/shared/lib/paths'
import { Button, Menu } from '@/shared/ui'
import { useCreateExport, type NewExport } from './api/useExports'

const formats = [
  { id: 'csv', label: 'CSV', format: 'csv', compressed: false },
  { id: 'csv.gz', label: 'CSV, compressed', format: 'csv', compressed: true },
  { id: 'jsonl', label: 'JSONL', format: 'jsonl', compressed: false },
  { id: 'jsonl.gz', label: 'JSONL, compressed', format: 'jsonl', compressed: true },
  { id: 'json', label: 'JSON', format: 'json', compressed: false },
  { id: 'parquet', label: 'Parquet', format: 'parquet', compressed: false },
] as const

type ExportMenuProps = {
  table: NewExport['table']
  /** What part of the table to export: conditions as the server takes them. */
  selection: Omit<NewExport, 'table' | 'format' | 'compressed'>
  /** The variant of the buttons beside it. */
  variant?: 'ghost' | 'secondary'
}

/** Exports everything that a page selects; renders nothing for users who may not export. */
export function ExportMenu({ table, selection, variant = 'ghost' }: ExportMenuProps) {
  const { project, can } = useProject()
  const navigate = useNavigate()
  const create = useCreateExport(
    project.id,
    () => void navigate({ to: projectPath(project.id, 'settings/exports') }),
  )
  if (!can('exports:write')) return null
  return (
    <Menu
      label="Export as"
      trigger={
        <Button
          size="sm"
          variant={variant}
          icon={<Download aria-hidden />}
          isPending={create.isPending}
        >
          Export
        </Button>
      }
      actions={formats.map(({ id, label, format, compressed }) => ({
        id,
        label,
        onAction: () =>
          create.mutate(
            { table, format, compressed, ...selection },
            { onError: toastFailure('The export could not be started') },
          ),
      }))}
    />
  )
}
