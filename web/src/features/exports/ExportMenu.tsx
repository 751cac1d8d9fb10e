import { Download } from 'lucide-react'
import { toastFailure } from '@/features/failures'
import { useProject } from '@/features/session'
import { Button, Menu } from '@/ui'
import { useCreateExport, type NewExport } from './api/useExports'

const formats = [
  { id: 'csv', label: 'CSV' },
  { id: 'jsonl', label: 'JSONL' },
  { id: 'json', label: 'JSON' },
  { id: 'parquet', label: 'Parquet' },
] as const

type ExportMenuProps = {
  table: NewExport['table']
  /** What part of the table to export: conditions as the server takes them. */
  selection: Omit<NewExport, 'table' | 'format'>
  /** The variant of the buttons beside it. */
  variant?: 'ghost' | 'secondary'
}

/** Exports everything that a page selects; renders nothing for users who may not export. */
export function ExportMenu({ table, selection, variant = 'ghost' }: ExportMenuProps) {
  const { project, can } = useProject()
  const create = useCreateExport(project.id)
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
      actions={formats.map((format) => ({
        ...format,
        onAction: () =>
          create.mutate(
            { table, format: format.id, ...selection },
            { onError: toastFailure('The export could not be started') },
          ),
      }))}
    />
  )
}
