import { ComboBox, Select } from '@/shared/ui'
import type { Models } from '@/shared/llmModels'
import type { Pane } from '../model/state'
import type { ChangePane } from './PaneView'

type ModelPickerProps = { models: Models; pane: Pane; onChange: ChangePane }

/** The connection and its model. Any model can be named: servers have more than they list. */
export function ModelPicker({ models, pane, onChange }: ModelPickerProps) {
  const { connections } = models
  const names = connections.find(({ connection }) => connection === pane.connection)?.models ?? []
  return (
    <div className="grid min-w-0 grid-cols-2 gap-2">
      <Select
        label="Connection"
        options={connections.map(({ connection }) => ({ id: connection, label: connection }))}
        value={pane.connection === '' ? null : pane.connection}
        onChange={(connection) => {
          const offered = connections.find((each) => each.connection === connection)?.models ?? []
          onChange((before) => ({
            ...before,
            connection,
            model: offered.includes(before.model) ? before.model : (offered[0] ?? before.model),
          }))
        }}
        className="min-w-0"
      />
      <ComboBox
        // The suggestions of another connection are others.
        key={pane.connection}
        label="Model"
        options={names.map((name) => ({ id: name, label: name }))}
        inputValue={pane.model}
        onInputChange={(model) => onChange((before) => ({ ...before, model }))}
        allowsCustom
        className="min-w-0"
      />
    </div>
  )
}
