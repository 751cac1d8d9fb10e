import type { UiComponents } from '@/shared/api'

export type RunParams = UiComponents['schemas']['RunParams']
type Models = UiComponents['schemas']['LlmModels']
export type Ranges = Models['connections'][number]['ranges']

export type NumberName =
  | 'temperature'
  | 'maxTokens'
  | 'topP'
  | 'topK'
  | 'frequencyPenalty'
  | 'presencePenalty'
  | 'seed'
  | 'reasoningTokens'

export const efforts = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'] as const
export type Effort = (typeof efforts)[number]

/** Parameters are off until somebody turns them on: what is off is not sent. */
export type Params = {
  numbers: Record<NumberName, { isOn: boolean; value: number }>
  effort: { isOn: boolean; value: Effort }
  stop: { isOn: boolean; value: string[] }
  /** Other parameters by the names of the provider: a JSON object. */
  extra: { isOn: boolean; value: string }
}

export const defaultParams: Params = {
  numbers: {
    temperature: { isOn: false, value: 0 },
    maxTokens: { isOn: false, value: 4096 },
    topP: { isOn: false, value: 1 },
    topK: { isOn: false, value: 40 },
    frequencyPenalty: { isOn: false, value: 0 },
    presencePenalty: { isOn: false, value: 0 },
    seed: { isOn: false, value: 1 },
    reasoningTokens: { isOn: false, value: 4096 },
  },
  effort: { isOn: false, value: 'medium' },
  stop: { isOn: false, value: [] },
  extra: { isOn: false, value: '{}' },
}

export type NumberRule = {
  name: NumberName
  label: string
  from: number
  to: number
  step: number
}

/** The numbers that the models of a connection take, with their ranges. Without a connection, the widest ones. */
export function numberRules(ranges: Ranges | undefined): NumberRule[] {
  const { temperature = 2, topK = true, seed = true, penalties = true } = ranges ?? {}
  const rules: (NumberRule | false)[] = [
    { name: 'temperature', label: 'Temperature', from: 0, to: temperature, step: 0.1 },
    { name: 'maxTokens', label: 'Most output tokens', from: 1, to: 1_000_000, step: 1 },
    { name: 'topP', label: 'Top P', from: 0, to: 1, step: 0.05 },
    topK && { name: 'topK', label: 'Top K', from: 1, to: 1000, step: 1 },
    penalties && {
      name: 'frequencyPenalty',
      label: 'Frequency penalty',
      from: -2,
      to: 2,
      step: 0.1,
    },
    penalties && { name: 'presencePenalty', label: 'Presence penalty', from: -2, to: 2, step: 0.1 },
    seed && { name: 'seed', label: 'Seed', from: 0, to: 2 ** 31 - 1, step: 1 },
    {
      name: 'reasoningTokens',
      label: 'Reasoning tokens',
      from: 0,
      to: 200_000,
      step: 1024,
    },
  ]
  return rules.filter((rule) => rule !== false)
}

export function countOn(params: Params): number {
  const { numbers, effort, stop, extra } = params
  return [...Object.values(numbers), effort, stop, extra].filter(({ isOn }) => isOn).length
}

/** The parameters that are sent. The error names what cannot be. */
export function paramsToSend(params: Params): RunParams {
  const sent: RunParams = {}
  for (const [name, { isOn, value }] of Object.entries(params.numbers))
    if (isOn && Number.isFinite(value)) sent[name as NumberName] = value
  if (params.effort.isOn) sent.effort = params.effort.value
  const stops = params.stop.value.filter((each) => each !== '')
  if (params.stop.isOn && stops.length > 0) sent.stop = stops
  if (params.extra.isOn) sent.extra = objectOf(params.extra.value, 'The other parameters')
  return sent
}

/** A JSON object in a text; the error says what the text is. */
export function objectOf(text: string, what: string): Record<string, unknown> {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new Error(`${what} are no valid JSON.`)
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Error(`${what} must be a JSON object.`)
  return value as Record<string, unknown>
}

/** How libraries and providers call the parameters. */
const aliases: Record<string, NumberName> = {
  temperature: 'temperature',
  max_tokens: 'maxTokens',
  maxTokens: 'maxTokens',
  max_completion_tokens: 'maxTokens',
  max_output_tokens: 'maxTokens',
  maxOutputTokens: 'maxTokens',
  max_new_tokens: 'maxTokens',
  top_p: 'topP',
  topP: 'topP',
  top_k: 'topK',
  topK: 'topK',
  frequency_penalty: 'frequencyPenalty',
  frequencyPenalty: 'frequencyPenalty',
  presence_penalty: 'presencePenalty',
  presencePenalty: 'presencePenalty',
  seed: 'seed',
  reasoning_tokens: 'reasoningTokens',
  thinking_budget: 'reasoningTokens',
}

/** Not parameters of the model, or read elsewhere. */
const ignored = new Set([
  'model',
  'stream',
  'stream_options',
  'messages',
  'tools',
  'tool_choice',
  'toolChoice',
  'response_format',
  'functions',
  'user',
  'n',
])

/** Recorded parameters, turned on. Numbers may be recorded as texts. What has another name is kept as it is. */
export function readParams(recorded: Record<string, unknown>): Params {
  const params = structuredClone(defaultParams)
  const extra: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(recorded)) {
    if (value === null || value === undefined || value === '' || ignored.has(name)) continue
    const known = Object.hasOwn(aliases, name) ? aliases[name] : undefined
    const number = typeof value === 'string' ? Number(value) : value
    if (known !== undefined && typeof number === 'number' && Number.isFinite(number))
      params.numbers[known] = { isOn: true, value: number }
    else if (name === 'stop' || name === 'stop_sequences') {
      const stops = (Array.isArray(value) ? value : [value]).filter(
        (each) => typeof each === 'string',
      )
      if (stops.length > 0) params.stop = { isOn: true, value: stops }
    } else if ((name === 'reasoning_effort' || name === 'effort') && isEffort(value))
      params.effort = { isOn: true, value }
    else extra[name] = value
  }
  if (Object.keys(extra).length > 0)
    params.extra = { isOn: false, value: JSON.stringify(extra, null, 2) }
  return params
}

function isEffort(value: unknown): value is Effort {
  return efforts.some((each) => each === value)
}
