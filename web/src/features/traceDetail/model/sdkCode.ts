import { Json } from '@/shared/io'
import type { Detail } from './wire'

export type Code = { id: string; label: string; code: string }

/** Inputs up to this length are part of the code; longer ones are read from the server. */
const longestInput = 20_000

/** The parameters that may be repeated. Everything else stays out, above all keys and addresses. */
const repeatable = new Set([
  'temperature',
  'top_p',
  'top_k',
  'max_tokens',
  'max_completion_tokens',
  'max_output_tokens',
  'frequency_penalty',
  'presence_penalty',
  'stop',
  'stop_sequences',
  'seed',
  'n',
  'logprobs',
  'top_logprobs',
  'response_format',
  'reasoning_effort',
  'verbosity',
  'parallel_tool_calls',
  'tool_choice',
])

/** Code that reads an observation, in the languages of the SDKs. API keys come from the environment. */
export function readingCode(server: string, traceId: string, observationId: string): Code[] {
  const filter = JSON.stringify([
    { type: 'string', column: 'id', operator: '=', value: observationId },
  ])
  return [
    {
      id: 'python',
      label: 'Python',
      code: `# LANGFUSE_PUBLIC_KEY, LANGFUSE_SECRET_KEY and LANGFUSE_BASE_URL=${server}
from langfuse import get_client

api = get_client().api
rows = api.observations.get_many(
    trace_id=${python(traceId)},  # leave the filter out for the whole trace
    filter=${python(filter)},
    fields="core,basic,time,io,metadata,model,usage",
)
print(rows.data[0])`,
    },
    {
      id: 'js',
      label: 'JavaScript',
      code: `// LANGFUSE_PUBLIC_KEY, LANGFUSE_SECRET_KEY and LANGFUSE_BASE_URL=${server}
import { LangfuseClient } from "@langfuse/client";

const { api } = new LangfuseClient();
const rows = await api.observations.getMany({
  traceId: ${js(traceId)}, // leave the filter out for the whole trace
  filter: ${js(filter)},
  fields: "core,basic,time,io,metadata,model,usage",
});
console.log(rows.data[0]);`,
    },
  ]
}

/** Code that repeats the call of a generation; empty if it is not one, or if its input is not a list of messages. */
export function callCode(detail: Detail): Code[] {
  const { model, texts } = detail
  if (model === null || model === '' || texts.input === null) return []
  const isLong = texts.input.length > longestInput || detail.cut.input !== undefined
  const call = isLong ? undefined : readCall(texts.input)
  if (!isLong && !call) return []
  const parameters = { ...readParameters(texts.modelParameters), ...call?.more }
  const isAnthropic = /claude/i.test(model)
  return isAnthropic
    ? anthropic(detail, model, call, parameters)
    : openai(detail, model, call, parameters)
}

type Call = { messages: unknown[]; more: Record<string, unknown> }

function openai(
  detail: Detail,
  model: string,
  call: Call | undefined,
  parameters: Record<string, unknown>,
): Code[] {
  return [
    {
      id: 'python-call',
      label: 'Python',
      code: `# OPENAI_API_KEY; OPENAI_BASE_URL for another provider
${call ? '' : pythonLong(detail)}from openai import OpenAI

answer = OpenAI().chat.completions.create(
    model=${python(model)},
    messages=${call ? python(call.messages, 1) : 'messages'},
${pythonArguments(parameters)})
print(answer.choices[0].message)`,
    },
    {
      id: 'js-call',
      label: 'JavaScript',
      code: `// OPENAI_API_KEY; OPENAI_BASE_URL for another provider
${call ? '' : jsLong(detail)}import OpenAI from "openai";

const answer = await new OpenAI().chat.completions.create({
  model: ${js(model)},
  messages: ${call ? js(call.messages, 1) : 'messages'},
${jsMembers(parameters)}});
console.log(answer.choices[0].message);`,
    },
  ]
}

function anthropic(
  detail: Detail,
  model: string,
  call: Call | undefined,
  given: Record<string, unknown>,
): Code[] {
  // Anthropic takes the system prompt separately, and max_tokens is required.
  const isSystem = (message: unknown) => isRecord(message) && message.role === 'system'
  const system = call?.messages.filter(isSystem).map((message) => contentOf(message))
  const messages = call?.messages.filter((message) => !isSystem(message))
  const parameters: Record<string, unknown> = {
    max_tokens: 1024,
    ...(system && system.length > 0 ? { system: system.join('\n') } : {}),
    ...given,
  }
  return [
    {
      id: 'python-call',
      label: 'Python',
      code: `# ANTHROPIC_API_KEY
${call ? '' : pythonLong(detail)}from anthropic import Anthropic

answer = Anthropic().messages.create(
    model=${python(model)},
    messages=${messages ? python(messages, 1) : 'messages'},
${pythonArguments(parameters)})
print(answer.content)`,
    },
    {
      id: 'js-call',
      label: 'JavaScript',
      code: `// ANTHROPIC_API_KEY
${call ? '' : jsLong(detail)}import Anthropic from "@anthropic-ai/sdk";

const answer = await new Anthropic().messages.create({
  model: ${js(model)},
  messages: ${messages ? js(messages, 1) : 'messages'},
${jsMembers(parameters)}});
console.log(answer.content);`,
    },
  ]
}

function pythonLong({ id, traceId }: Detail): string {
  return `import json
from langfuse import get_client

# The input is long: it is read from the server.
row = get_client().api.observations.get_many(
    trace_id=${python(traceId)},
    filter=json.dumps([{"type": "string", "column": "id", "operator": "=", "value": ${python(id)}}]),
    fields="core,io",
).data[0]
sent = json.loads(row.input)
messages = sent["messages"] if isinstance(sent, dict) else sent
`
}

function jsLong({ id, traceId }: Detail): string {
  return `import { LangfuseClient } from "@langfuse/client";
// The input is long: it is read from the server.
const rows = await new LangfuseClient().api.observations.getMany({
  traceId: ${js(traceId)},
  filter: JSON.stringify([{ type: "string", column: "id", operator: "=", value: ${js(id)} }]),
  fields: "core,io",
});
const sent = JSON.parse(rows.data[0].input);
const messages = sent.messages ?? sent;
`
}

function readCall(text: string): Call | undefined {
  const input = parse(text)
  if (Array.isArray(input)) return isMessages(input) ? { messages: input, more: {} } : undefined
  if (isRecord(input) && Array.isArray(input.messages) && isMessages(input.messages)) {
    const more: Record<string, unknown> = {}
    for (const name of ['tools', 'system', 'response_format', 'tool_choice'])
      if (input[name] !== undefined && input[name] !== null) more[name] = input[name]
    return { messages: input.messages, more }
  }
  if (typeof input === 'string' && input.trim() !== '')
    return { messages: [{ role: 'user', content: input }], more: {} }
  return undefined
}

function isMessages(list: readonly unknown[]): boolean {
  return list.length > 0 && list.every((each) => isRecord(each) && typeof each.role === 'string')
}

function readParameters(text: string | null): Record<string, unknown> {
  const parameters = parse(text ?? '')
  if (!isRecord(parameters)) return {}
  return Object.fromEntries(
    Object.entries(parameters)
      .filter(([name, value]) => repeatable.has(name) && value !== null && value !== '')
      .map(([name, value]) => [name, numeric(value)]),
  )
}

/** Some libraries send numbers as strings. */
function numeric(value: unknown): unknown {
  return typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value) ? parse(value) : value
}

function contentOf(message: unknown): string {
  const content = isRecord(message) ? message.content : ''
  return typeof content === 'string' ? content : js(content)
}

/** A number that JavaScript would change, with its digits as stored. */
class Digits {
  constructor(readonly text: string) {}
}

function parse(text: string): unknown {
  const json = Json.parse(text)
  return json ? exact(json) : text
}

function exact(json: Json): unknown {
  switch (json.kind) {
    case 'object':
      return Object.fromEntries(json.members().map(([name, value]) => [name, exact(value)]))
    case 'array':
      return json.elements().map(exact)
    case 'string':
      return json.string
    case 'number': {
      const number = Number(json.raw)
      return String(number) === json.raw ? number : new Digits(json.raw)
    }
    case 'boolean':
      return json.isTrue
    case 'null':
    case 'missing':
      return null
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return (
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    !(value instanceof Digits)
  )
}

function pythonArguments(parameters: Record<string, unknown>): string {
  return Object.entries(parameters)
    .map(([name, value]) => `    ${name}=${python(value, 1)},\n`)
    .join('')
}

function jsMembers(parameters: Record<string, unknown>): string {
  return Object.entries(parameters)
    .map(([name, value]) => `  ${name}: ${js(value, 1)},\n`)
    .join('')
}

/** A value as Python source. JSON strings are valid in Python. */
function python(value: unknown, level = 0): string {
  if (value === null || value === undefined) return 'None'
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (value instanceof Digits) return value.text
  const inside = '    '.repeat(level + 1)
  const end = '    '.repeat(level)
  if (Array.isArray(value)) {
    if (value.length === 0) return '[]'
    return `[\n${value.map((each) => `${inside}${python(each, level + 1)},\n`).join('')}${end}]`
  }
  if (isRecord(value)) {
    const entries = Object.entries(value)
    if (entries.length === 0) return '{}'
    const lines = entries.map(
      ([name, each]) => `${inside}${JSON.stringify(name)}: ${python(each, level + 1)},\n`,
    )
    return `{\n${lines.join('')}${end}}`
  }
  return JSON.stringify(value)
}

/** A value as JavaScript source. */
function js(value: unknown, level = 0): string {
  const inside = '  '.repeat(level + 1)
  const end = '  '.repeat(level)
  if (value instanceof Digits) return value.text
  if (Array.isArray(value)) {
    if (value.length === 0) return '[]'
    return `[\n${value.map((each) => inside + js(each, level + 1)).join(',\n')}\n${end}]`
  }
  if (isRecord(value)) {
    const lines = Object.entries(value).map(
      ([name, each]) => `${inside}${JSON.stringify(name)}: ${js(each, level + 1)}`,
    )
    return lines.length === 0 ? '{}' : `{\n${lines.join(',\n')}\n${end}}`
  }
  return JSON.stringify(value) ?? 'undefined'
}
