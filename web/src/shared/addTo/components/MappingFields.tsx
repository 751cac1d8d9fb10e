import { Select, TextField, type Option } from '@/shared/ui'
import { maxPath, type ItemMapping, type ItemPart, type Source } from '../model/mapping'

const parts: { id: ItemPart; label: string }[] = [
  { id: 'input', label: 'Input' },
  { id: 'expectedOutput', label: 'Expected output' },
  { id: 'metadata', label: 'Metadata' },
]

const sources: Option<Source>[] = [
  { id: 'input', label: 'Input' },
  { id: 'output', label: 'Output' },
  { id: 'metadata', label: 'Metadata' },
  { id: 'nothing', label: 'Nothing' },
]

type MappingFieldsProps = {
  mapping: ItemMapping
  onChange: (mapping: ItemMapping) => void
  problems: Partial<Record<ItemPart, string>>
}

/** What each part of an item is made of. */
export function MappingFields({ mapping, onChange, problems }: MappingFieldsProps) {
  return (
    <div className="flex flex-col gap-3">
      {parts.map(({ id, label }) => {
        const change = (next: Partial<ItemMapping[ItemPart]>) =>
          onChange({ ...mapping, [id]: { ...mapping[id], ...next } })
        return (
          <div key={id} className="grid grid-cols-[8rem_minmax(0,1fr)] items-start gap-2">
            <Select
              label={label}
              options={sources}
              value={mapping[id].from}
              onChange={(from) => change({ from })}
              error={mapping[id].from === 'nothing' ? problems[id] : undefined}
            />
            {mapping[id].from !== 'nothing' && (
              <TextField
                label={`Path of ${label.toLowerCase()}`}
                value={mapping[id].path}
                onChange={(path) => change({ path })}
                error={problems[id]}
                maxLength={maxPath}
                autoComplete="off"
              />
            )}
          </div>
        )
      })}
      <p className="text-sm text-text-3">
        $ is the whole value; $.messages[-1].content is a part of it.
      </p>
    </div>
  )
}
