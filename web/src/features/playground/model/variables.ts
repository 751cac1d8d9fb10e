import { variableNames } from '@/shared/editor'
import { Json } from '@/shared/io'
import type { Item, State } from './state'

/** The texts of an item in which variables count. */
export function textsOf(item: Item): string[] {
  switch (item.kind) {
    case 'message':
      return [item.text, ...item.calls.map((call) => call.arguments)]
    case 'result':
      return [item.text]
    case 'placeholder':
      return []
  }
}

/** The variables of all windows, in the order in which they appear. */
export function namesIn(state: State): string[] {
  return [
    ...new Set(state.panes.flatMap((pane) => pane.items.flatMap(textsOf).flatMap(variableNames))),
  ]
}

export function placeholdersIn(state: State): string[] {
  return [
    ...new Set(
      state.panes.flatMap((pane) =>
        pane.items.flatMap((item) =>
          item.kind === 'placeholder' && item.name !== '' ? [item.name] : [],
        ),
      ),
    ),
  ]
}

/** The value of a variable or placeholder, '' if it has none. Prompts and traces name them: also constructor and toString. */
export function valueOf(values: Readonly<Record<string, string>>, name: string): string {
  return Object.hasOwn(values, name) ? (values[name] ?? '') : ''
}

/** The text with the values of its variables. A value is taken as it is: variables in it stay. */
export function filled(text: string, values: Record<string, string>): string {
  return text.replaceAll(/\{\{\s*([A-Za-z]\w*)\s*\}\}/g, (whole, name: string) =>
    Object.hasOwn(values, name) ? (values[name] ?? whole) : whole,
  )
}

/** The values as one JSON object, to be edited as a whole; and back. */
export function variablesText(names: readonly string[], values: Record<string, string>): string {
  return JSON.stringify(
    Object.fromEntries(names.map((name) => [name, valueOf(values, name)])),
    null,
    2,
  )
}

/** Values that are no texts are written as JSON. undefined if the text is no JSON object. */
export function readVariables(text: string): Record<string, string> | undefined {
  const value = Json.parse(text)
  if (!value?.isObject) return undefined
  return Object.fromEntries(value.members().map(([name, each]) => [name, each.string ?? each.raw]))
}

export function textOfValue(value: unknown): string {
  return typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value)
}
