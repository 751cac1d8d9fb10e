import { Chips, TextField } from '@/shared/ui'
import { tagsProblem, withTag, type Tags } from './model/tags'

type TagsFieldProps = { value: Tags; onChange: (value: Tags) => void; autoFocus?: boolean }

/** The tags of a prompt: Enter adds one. */
export function TagsField({ value, onChange, autoFocus }: TagsFieldProps) {
  const { chosen, typed } = value
  const tags = withTag(chosen, typed)
  const problem = tagsProblem(tags)
  return (
    <div className="flex min-w-0 flex-col gap-2">
      {chosen.length > 0 && (
        <Chips
          label="Tags so far"
          hideLabel
          chips={chosen.map((tag) => ({ id: tag, label: tag }))}
          onRemove={(tag) => onChange({ ...value, chosen: chosen.filter((each) => each !== tag) })}
        />
      )}
      <TextField
        label="Add a tag"
        autoFocus={autoFocus}
        autoComplete="off"
        value={typed}
        onChange={(text) => onChange({ ...value, typed: text })}
        onKeyDown={(event) => {
          // With an input method, Enter ends a word; without a word, it saves.
          if (event.key !== 'Enter' || event.nativeEvent.isComposing || typed.trim() === '') return
          event.preventDefault()
          if (problem === undefined) onChange({ chosen: tags, typed: '' })
        }}
        error={problem}
      />
    </div>
  )
}
