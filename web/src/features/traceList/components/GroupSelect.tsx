import { useState } from 'react'
import { Select } from '@/shared/ui'
import { useSuggestions } from '@/shared/query'
import { groupings, groupLabel } from '../model/groups'

type GroupSelectProps = {
  projectId: string
  value: string | undefined
  onChange: (column: string | undefined) => void
}

const none = ''

/** Selects the column to group rows by. */
export function GroupSelect({ projectId, value, onChange }: GroupSelectProps) {
  const [isWanted, setWanted] = useState(false)
  const keys = useSuggestions(projectId, isWanted ? 'metadata' : undefined, '', 50)
  const known = groupings.map(({ column, label }) => ({
    id: column,
    label: `By ${label.toLowerCase()}`,
  }))
  const metadata = (keys.data?.values ?? []).map(({ value: key }) => ({
    id: `metadata.${key}`,
    label: `By metadata.${key}`,
  }))
  const options = [{ id: none, label: 'Not grouped' }, ...known, ...metadata]
  if (value !== undefined && !options.some(({ id }) => id === value))
    options.push({ id: value, label: `By ${groupLabel(value)}` })
  return (
    // Metadata keys are loaded when the pointer or the focus arrives.
    <div onPointerEnter={() => setWanted(true)} onFocus={() => setWanted(true)}>
      <Select
        label="Group by"
        hideLabel
        options={options}
        value={value ?? none}
        onChange={(id) => onChange(id === none ? undefined : id)}
        className="w-44"
      />
    </div>
  )
}
