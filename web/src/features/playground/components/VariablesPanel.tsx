import { useState } from 'react'
import { Editor } from '@/shared/editor'
import { Callout, SegmentedControl, Select, type Option } from '@/shared/ui'
import { useDatasets } from '../api/useDatasetRows'
import type { State } from '../model/state'
import { readVariables, valueOf, variablesText } from '../model/variables'

type VariablesPanelProps = {
  projectId: string
  names: readonly string[]
  placeholders: readonly string[]
  state: State
  onUpdate: (change: (state: State) => State) => void
}

type Mode = 'fields' | 'json'

const modes: Option<Mode>[] = [
  { id: 'fields', label: 'Fields' },
  { id: 'json', label: 'JSON' },
]

const noDataset = ' none'

/** The values of the variables and placeholders in all windows, or the dataset that has them. */
export function VariablesPanel(props: VariablesPanelProps) {
  const { projectId, names, placeholders, state, onUpdate } = props
  const [mode, setMode] = useState<Mode>('fields')
  const [text, setText] = useState<string>()
  const datasets = useDatasets(projectId)
  const set = (name: string, value: string) =>
    onUpdate((before) => ({ ...before, variables: { ...before.variables, [name]: value } }))
  const shown = text ?? variablesText(names, state.variables)
  const isBroken = readVariables(shown) === undefined
  const options = [
    { id: noDataset, label: 'The values here' },
    ...[...new Set([...(datasets.data ?? []), ...(state.dataset ? [state.dataset] : [])])].map(
      (name) => ({ id: name, label: `First items of ${name}` }),
    ),
  ]
  if (names.length === 0 && placeholders.length === 0 && state.dataset === null)
    return (
      <p className="text-sm text-text-3">
        Write {'{{name}}'} in a message for a variable: its value is asked for here, once for all
        windows.
      </p>
    )
  return (
    <section
      aria-label="Variables"
      className="flex min-w-0 flex-col gap-2 rounded-lg border border-border bg-surface-1 p-3"
    >
      <div className="flex min-w-0 flex-wrap items-center gap-2">
        <h2 className="font-medium">Variables</h2>
        {names.length > 0 && (
          <SegmentedControl
            label="How to edit the variables"
            options={modes}
            value={mode}
            onChange={(next) => {
              setText(undefined)
              setMode(next)
            }}
          />
        )}
        <Select
          label="Where the values come from"
          hideLabel
          options={options}
          value={state.dataset ?? noDataset}
          onChange={(id) =>
            onUpdate((before) => ({ ...before, dataset: id === noDataset ? null : id }))
          }
          className="ml-auto w-60 max-w-full"
        />
      </div>
      {state.dataset !== null && (
        <p className="text-sm text-text-3">
          Each window runs once for each of the first ten items. Variables that an item lacks have
          the values here.
        </p>
      )}
      {mode === 'fields' ? (
        <div className="grid min-w-0 gap-2 md:grid-cols-2 xl:grid-cols-3">
          {names.map((name) => (
            <Editor
              key={name}
              label={name}
              mode={{ kind: 'text' }}
              value={valueOf(state.variables, name)}
              onChange={(value) => set(name, value)}
              minRows={1}
              maxRows={8}
            />
          ))}
        </div>
      ) : (
        <>
          <Editor
            label="Variables as a JSON object"
            hideLabel
            mode={{ kind: 'json' }}
            value={shown}
            onChange={(next) => {
              setText(next)
              const values = readVariables(next)
              if (values)
                onUpdate((before) => ({
                  ...before,
                  variables: { ...before.variables, ...values },
                }))
            }}
            minRows={4}
            maxRows={16}
          />
          {isBroken && (
            <Callout tone="warning">
              This is no JSON object yet. Until it is one, the values before count.
            </Callout>
          )}
        </>
      )}
      {placeholders.map((name) => (
        <Editor
          key={name}
          label={`Messages of ${name}`}
          description='A JSON list, such as [{"role": "user", "content": "Hello"}].'
          mode={{ kind: 'json' }}
          value={valueOf(state.placeholders, name)}
          onChange={(value) =>
            onUpdate((before) => ({
              ...before,
              placeholders: { ...before.placeholders, [name]: value },
            }))
          }
          minRows={3}
          maxRows={16}
        />
      ))}
    </section>
  )
}
