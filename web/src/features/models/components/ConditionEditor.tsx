import { Trash2 } from 'lucide-react'
import { IconButton, Select, TextField } from '@/shared/ui'
import { conditionKinds, operators, type ConditionDraft } from '../model/draft'

type ConditionEditorProps = {
  condition: ConditionDraft
  onChange: (condition: ConditionDraft) => void
  onRemove: () => void
}

/** One condition of a tier. */
export function ConditionEditor({ condition, onChange, onRemove }: ConditionEditorProps) {
  const isUsage = condition.kind === 'usage'
  return (
    <div className="flex flex-wrap items-end gap-2">
      <Select
        label="Condition on"
        options={conditionKinds}
        value={condition.kind}
        onChange={(kind) => onChange({ ...condition, kind })}
        className="w-40"
      />
      <TextField
        label={isUsage ? 'Usage that matches' : 'Name'}
        value={condition.subject}
        onChange={(subject) => onChange({ ...condition, subject })}
        mono
        autoComplete="off"
        className="w-36 flex-1"
      />
      {isUsage && (
        <Select
          label="Compares"
          options={operators}
          value={condition.operator}
          onChange={(operator) => onChange({ ...condition, operator })}
          className="w-20"
        />
      )}
      <TextField
        label={isUsage ? 'Number' : 'Is one of'}
        value={condition.value}
        onChange={(value) => onChange({ ...condition, value })}
        inputMode={isUsage ? 'decimal' : undefined}
        autoComplete="off"
        className="w-32 flex-1"
      />
      <IconButton label="Remove the condition" icon={<Trash2 aria-hidden />} onPress={onRemove} />
    </div>
  )
}
