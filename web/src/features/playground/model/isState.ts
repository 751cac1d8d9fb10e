import type { State } from './state'

/**
 * Whether a value is a state of this version. Saved states come from people, who may have written them with the API, and
 * from earlier versions: what does not fit is not shown.
 */
export function isState(value: unknown): value is State {
  if (!isObject(value)) return false
  const { panes, variables, placeholders, dataset, repeat } = value
  return (
    Array.isArray(panes) &&
    panes.length > 0 &&
    panes.every(isPane) &&
    isTexts(variables) &&
    isTexts(placeholders) &&
    (dataset === null || typeof dataset === 'string') &&
    typeof repeat === 'number'
  )
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isTexts = (value: unknown) =>
  isObject(value) && Object.values(value).every((each) => typeof each === 'string')

const has = (value: Record<string, unknown>, ...names: string[]) =>
  names.every((name) => typeof value[name] === 'string')

function isPane(value: unknown): boolean {
  if (!isObject(value) || !has(value, 'id', 'connection', 'model', 'toolChoice')) return false
  const { params, items, tools, schema, prompt, original } = value
  return (
    isParams(params) &&
    Array.isArray(items) &&
    items.every(isItem) &&
    Array.isArray(tools) &&
    tools.every(
      (tool) => isObject(tool) && has(tool, 'name', 'description', 'parameters', 'mock'),
    ) &&
    (schema === null || (isObject(schema) && has(schema, 'name', 'text'))) &&
    (prompt === null ||
      (isObject(prompt) && has(prompt, 'name') && typeof prompt.version === 'number')) &&
    (original === null ||
      (isObject(original) &&
        has(original, 'traceId', 'observationId', 'text', 'level', 'statusMessage')))
  )
}

function isParams(value: unknown): boolean {
  if (!isObject(value)) return false
  const { numbers, effort, stop, extra } = value
  return (
    isObject(numbers) &&
    numberNames.every((name) => {
      const number = numbers[name]
      return (
        isObject(number) && typeof number.isOn === 'boolean' && typeof number.value === 'number'
      )
    }) &&
    isObject(effort) &&
    isObject(stop) &&
    Array.isArray(stop.value) &&
    isObject(extra) &&
    typeof extra.value === 'string'
  )
}

const numberNames = [
  'temperature',
  'maxTokens',
  'topP',
  'topK',
  'frequencyPenalty',
  'presencePenalty',
  'seed',
  'reasoningTokens',
]

function isItem(value: unknown): boolean {
  if (!isObject(value) || !has(value, 'id', 'kind')) return false
  switch (value.kind) {
    case 'message':
      return (
        has(value, 'role', 'text') &&
        Array.isArray(value.files) &&
        value.files.every((file) => isObject(file) && has(file, 'kind')) &&
        Array.isArray(value.calls) &&
        value.calls.every((call) => isObject(call) && has(call, 'id', 'name', 'arguments'))
      )
    case 'result':
      return has(value, 'callId', 'text')
    case 'placeholder':
      return has(value, 'name')
    default:
      return false
  }
}
