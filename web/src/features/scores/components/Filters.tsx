import { dataTypes, sources } from '@/shared/scoring'
import { X } from 'lucide-react'
import { useState } from 'react'
import { Button, inputClass, Select } from '@/shared/ui'
import { isFiltered } from '../model/filter'
import { useSearchState } from '@/shared/lib/useSearchState'

const any = 'any'

type FiltersProps = { names: readonly string[] }

/** The filters of the score table: names, sources, types and, for numbers, a range of values. Kept in the URL. */
export function Filters({ names }: FiltersProps) {
  const [search, change] = useSearchState()
  const chosen = (value: string | undefined) => (value === undefined || value === '' ? any : value)
  const given = (value: string) => (value === any ? undefined : value)
  const known = search.name && !names.includes(search.name) ? [search.name, ...names] : names
  return (
    <>
      <Select
        label="Name"
        hideLabel
        className="w-40"
        value={chosen(search.name)}
        onChange={(name) => change({ name: given(name) })}
        options={[
          { id: any, label: 'All names' },
          ...known.map((name) => ({ id: name, label: name })),
        ]}
      />
      <Select
        label="Source"
        hideLabel
        className="w-36"
        value={chosen(search.source)}
        onChange={(source) => change({ source: given(source) })}
        options={[{ id: any, label: 'All sources' }, ...sources]}
      />
      <Select
        label="Type"
        hideLabel
        className="w-32"
        value={chosen(search.dataType)}
        onChange={(dataType) =>
          change({ dataType: given(dataType), valueMin: undefined, valueMax: undefined })
        }
        options={[{ id: any, label: 'All types' }, ...dataTypes]}
      />
      {search.dataType === 'NUMERIC' && (
        <>
          <NumberField
            label="At least"
            value={search.valueMin ?? ''}
            onChange={(valueMin) => change({ valueMin })}
          />
          <NumberField
            label="At most"
            value={search.valueMax ?? ''}
            onChange={(valueMax) => change({ valueMax })}
          />
        </>
      )}
      {isFiltered(search) && (
        <Button
          variant="ghost"
          icon={<X aria-hidden />}
          onPress={() =>
            change({
              name: undefined,
              source: undefined,
              dataType: undefined,
              valueMin: undefined,
              valueMax: undefined,
            })
          }
        >
          Clear
        </Button>
      )}
    </>
  )
}

type NumberFieldProps = {
  label: string
  value: string
  onChange: (value: string | undefined) => void
}

/** A number that is applied on blur or Enter. */
function NumberField({ label, value, onChange }: NumberFieldProps) {
  const [typed, setTyped] = useState(value)
  const [from, setFrom] = useState(value)
  if (from !== value) {
    // The URL has changed, by the back button or a link.
    setFrom(value)
    setTyped(value)
  }
  const send = () => {
    const text = typed.trim()
    if (text !== value) onChange(text === '' ? undefined : text)
  }
  return (
    <span className="w-24">
      <input
        aria-label={label}
        placeholder={label}
        inputMode="decimal"
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        onBlur={send}
        onKeyDown={(event) => event.key === 'Enter' && send()}
        className={inputClass}
      />
    </span>
  )
}
