import { useState } from 'react'
import { givenLabels, labelProblem, production } from '@/shared/prompts'
import { Checkbox, Chips, TextField } from '@/shared/ui'

type LabelsFieldProps = {
  value: readonly string[]
  onChange: (labels: readonly string[]) => void
  /** The labels of the project. */
  known: readonly string[]
  /** Where the labels of this prompt are now. */
  current: Readonly<Record<string, number>>
  /** Those that the user may not move. */
  protectedLabels: readonly string[]
}

const mostBoxes = 8

/** The labels that the new version gets; they move there from the versions that have them. */
export function LabelsField(props: LabelsFieldProps) {
  const { value, onChange, known, current, protectedLabels } = props
  const [typed, setTyped] = useState('')
  const label = typed.trim()
  const problem =
    label === ''
      ? undefined
      : protectedLabels.includes(label)
        ? 'This label is protected: administrators of the project move it.'
        : labelProblem(label)
  const boxes = givenLabels([...new Set([production, ...Object.keys(current), ...known])]).slice(
    0,
    mostBoxes,
  )
  const others = value.filter((each) => !boxes.includes(each))
  const toggle = (each: string, isGiven: boolean) =>
    onChange(isGiven ? [...value, each] : value.filter((other) => other !== each))
  return (
    <fieldset className="flex min-w-0 flex-col gap-2">
      <legend className="pb-1 text-sm font-medium text-text-2">Labels of the new version</legend>
      {boxes.map((each) => {
        const version = Object.hasOwn(current, each) ? current[each] : undefined
        const isProtected = protectedLabels.includes(each)
        return (
          <Checkbox
            key={each}
            isSelected={value.includes(each)}
            isDisabled={isProtected}
            onChange={(isGiven) => toggle(each, isGiven)}
            description={
              isProtected
                ? 'Protected: administrators of the project move it.'
                : version !== undefined && value.includes(each)
                  ? `Moves here from version ${version}.`
                  : version !== undefined
                    ? `Stays on version ${version}.`
                    : undefined
            }
          >
            {each}
          </Checkbox>
        )
      })}
      {others.length > 0 && (
        <Chips
          label="Other labels"
          hideLabel
          chips={others.map((each) => ({ id: each, label: each }))}
          onRemove={(gone) => toggle(gone, false)}
        />
      )}
      <TextField
        label="Another label"
        description="Enter adds it."
        autoComplete="off"
        value={typed}
        onChange={setTyped}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.nativeEvent.isComposing || label === '') return
          event.preventDefault()
          if (problem !== undefined) return
          if (!value.includes(label)) onChange([...value, label])
          setTyped('')
        }}
        error={problem}
      />
    </fieldset>
  )
}
