import { Select, type Option } from '@/shared/ui'
import type { Columns, Target } from '../model/mapping'

const targets: Option<Target>[] = [
  { id: 'input', label: 'Input' },
  { id: 'expectedOutput', label: 'Expected output' },
  { id: 'metadata', label: 'Metadata' },
  { id: 'id', label: 'Id' },
  { id: 'none', label: 'Not imported' },
]

type ImportMappingProps = {
  columns: Columns
  targets: Record<string, Target>
  onChange: (name: string, target: Target) => void
  isDisabled: boolean
}

/** What each column of a file becomes. */
export function ImportMapping(props: ImportMappingProps) {
  return (
    <ul
      aria-label="Columns"
      className="flex max-h-72 flex-col overflow-y-auto rounded-md border border-border"
    >
      {props.columns.map(({ name, example }) => (
        <li
          key={name}
          className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-3 border-b border-border px-3 py-1.5 last:border-b-0"
        >
          <span className="flex min-w-0 flex-col">
            <bdi className="truncate font-medium">{name}</bdi>
            <bdi className="truncate font-mono text-sm text-text-3">{example}</bdi>
          </span>
          <Select
            label={`What ${name} becomes`}
            hideLabel
            options={targets}
            value={props.targets[name] ?? 'none'}
            onChange={(target) => props.onChange(name, target)}
            isDisabled={props.isDisabled}
            className="w-40"
          />
        </li>
      ))}
    </ul>
  )
}
