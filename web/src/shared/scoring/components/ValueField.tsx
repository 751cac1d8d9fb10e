import { Select, TextField } from '@/shared/ui'
import type { DataType, ScoreConfig } from '../model/scoring'

type ValueFieldProps = {
  dataType: DataType
  config: ScoreConfig | undefined
  value: string
  onChange: (value: string) => void
  error: string | undefined
}

/** The value of a score, according to its type and config. */
export function ValueField({ dataType, config, value, onChange, error }: ValueFieldProps) {
  const common = { label: 'Value', error, onChange }
  const choose = (options: { id: string; label: string }[]) => (
    <Select {...common} value={value === '' ? null : value} options={options} />
  )
  switch (dataType) {
    case 'BOOLEAN':
      return choose([
        { id: '1', label: 'Yes' },
        { id: '0', label: 'No' },
      ])
    case 'CATEGORICAL':
      return config ? (
        choose((config.categories ?? []).map(({ label }) => ({ id: label, label })))
      ) : (
        <TextField {...common} value={value} />
      )
    case 'NUMERIC':
      return (
        <TextField
          {...common}
          value={value}
          inputMode="decimal"
          description={config && rangeText(config.minValue, config.maxValue)}
        />
      )
    case 'TEXT':
    case 'CORRECTION':
      return <TextField {...common} value={value} rows={4} />
  }
}

function rangeText(least: number | null, most: number | null): string | undefined {
  if (least !== null && most !== null) return `From ${least} to ${most}`
  if (least !== null) return `At least ${least}`
  return most === null ? undefined : `At most ${most}`
}
