import { Editor } from '@/shared/editor'
import { NumberField, Select, Switch, TextField } from '@/shared/ui'
import { efforts, numberRules, type Params, type Ranges } from '../model/params'
import type { ChangePane } from './PaneView'

type ParamsEditorProps = { params: Params; ranges: Ranges | undefined; onChange: ChangePane }

/** The parameters of the model. Each is off until it is turned on, and what is off is not sent. */
export function ParamsEditor({ params, ranges, onChange }: ParamsEditorProps) {
  const set = (change: Partial<Params>) =>
    onChange((before) => ({ ...before, params: { ...before.params, ...change } }))
  return (
    <div className="flex min-w-0 flex-col gap-2">
      {numberRules(ranges).map(({ name, label, from, to, step }) => {
        const { isOn, value } = params.numbers[name]
        const setNumber = (change: Partial<{ isOn: boolean; value: number }>) =>
          onChange((before) => ({
            ...before,
            params: {
              ...before.params,
              numbers: {
                ...before.params.numbers,
                [name]: { ...before.params.numbers[name], ...change },
              },
            },
          }))
        return (
          <div key={name} className="flex min-h-8 min-w-0 items-center justify-between gap-2">
            <Switch isSelected={isOn} onChange={(next) => setNumber({ isOn: next })}>
              {label}
            </Switch>
            {isOn && (
              <NumberField
                label={label}
                value={value}
                minValue={from}
                maxValue={to}
                step={step}
                formatOptions={{ useGrouping: false, maximumFractionDigits: 6 }}
                onChange={(next) => setNumber({ value: Number.isFinite(next) ? next : from })}
                className="w-36 shrink-0 [&>label]:sr-only [&>span:first-child]:sr-only"
              />
            )}
          </div>
        )
      })}
      <div className="flex min-h-8 min-w-0 items-center justify-between gap-2">
        <Switch
          isSelected={params.effort.isOn}
          onChange={(isOn) => set({ effort: { ...params.effort, isOn } })}
        >
          Reasoning effort
        </Switch>
        {params.effort.isOn && (
          <Select
            label="Reasoning effort"
            hideLabel
            options={efforts.map((id) => ({ id, label: id }))}
            value={params.effort.value}
            onChange={(value) => set({ effort: { isOn: true, value } })}
            className="w-36 shrink-0"
          />
        )}
      </div>
      <div className="flex min-w-0 flex-col gap-1">
        <Switch
          isSelected={params.stop.isOn}
          onChange={(isOn) => set({ stop: { ...params.stop, isOn } })}
          className="min-h-8"
        >
          Stop sequences
        </Switch>
        {params.stop.isOn && (
          <TextField
            label="One per line"
            rows={2}
            mono
            value={params.stop.value.join('\n')}
            onChange={(text) => set({ stop: { isOn: true, value: text.split('\n') } })}
          />
        )}
      </div>
      <div className="flex min-w-0 flex-col gap-1">
        <Switch
          isSelected={params.extra.isOn}
          onChange={(isOn) => set({ extra: { ...params.extra, isOn } })}
          className="min-h-8"
        >
          Other parameters
        </Switch>
        {params.extra.isOn && (
          <Editor
            label="JSON object with the provider’s names"
            mode={{ kind: 'json' }}
            value={params.extra.value}
            onChange={(value) => set({ extra: { isOn: true, value } })}
            minRows={3}
            maxRows={10}
          />
        )}
      </div>
    </div>
  )
}
