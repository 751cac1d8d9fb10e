import {
  emptyMessage,
  newId,
  type Item,
  type PromptLink,
  type Role,
  type Schema,
  type Tool,
} from './state'
import { matchTemplates } from './matchTemplate'
import { readParams, type Params } from './params'

/** A prompt version as the API returns it. */
export type PromptVersion = {
  name: string
  version: number
  prompt: unknown
  config: unknown
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The items of a prompt: a text is one message of the user's. */
export function itemsOfPrompt(prompt: unknown): Item[] {
  if (typeof prompt === 'string') return [emptyMessage('user', prompt)]
  if (!Array.isArray(prompt)) return []
  return prompt.filter(isObject).map((each): Item => {
    if (each.type === 'placeholder')
      return { id: newId(), kind: 'placeholder', name: String(each.name ?? '') }
    const content = each.content
    return emptyMessage(
      roleOf(each.role),
      typeof content === 'string' ? content : JSON.stringify(content ?? ''),
    )
  })
}

function roleOf(role: unknown): Role {
  switch (role) {
    case 'system':
    case 'developer':
    case 'assistant':
      return role
    default:
      return 'user'
  }
}

export type PromptSettings = {
  connection: string
  model: string
  params: Params
  tools: Tool[]
  toolChoice: string
  schema: Schema | null
}

/** What the config of a prompt, or the recorded parameters of a call, say about how to call a model. */
export function settingsOf(config: unknown): PromptSettings {
  const known = isObject(config) ? config : {}
  const { provider, model, tools, response_format, tool_choice, params, ...rest } = known
  const nested = isObject(params) ? params : {}
  return {
    connection: typeof provider === 'string' ? provider : '',
    model: typeof model === 'string' ? model : '',
    params: readParams({ ...rest, ...nested }),
    tools: Array.isArray(tools) ? tools.flatMap(toolOfConfig) : [],
    toolChoice: choiceOf(tool_choice),
    schema: schemaOf(response_format),
  }
}

function toolOfConfig(value: unknown): Tool[] {
  if (!isObject(value)) return []
  const from = isObject(value.function) ? value.function : value
  if (typeof from.name !== 'string' || from.name === '') return []
  const parameters = from.parameters ?? from.input_schema
  return [
    {
      name: from.name,
      description: typeof from.description === 'string' ? from.description : '',
      parameters: parameters === undefined ? '' : JSON.stringify(parameters, null, 2),
      mock: '',
    },
  ]
}

function choiceOf(value: unknown): string {
  if (value === 'none' || value === 'required') return value
  if (value === 'any') return 'required'
  const name = isObject(value)
    ? ((isObject(value.function) ? value.function.name : undefined) ?? value.name)
    : undefined
  return typeof name === 'string' ? name : 'auto'
}

function schemaOf(format: unknown): Schema | null {
  if (!isObject(format)) return null
  const inner = isObject(format.json_schema) ? format.json_schema : format
  if (!isObject(inner.schema)) return null
  return {
    name: typeof inner.name === 'string' ? inner.name : '',
    text: JSON.stringify(inner.schema, null, 2),
  }
}

/** The template of a call, with the values that its variables and placeholders had; or why they are not known. */
export type Solved =
  | {
      kind: 'solved'
      items: Item[]
      variables: Record<string, string>
      /** The messages of each placeholder. */
      placeholders: Record<string, Item[]>
    }
  | { kind: 'unsolved'; reason: string }

/**
 * Finds out which values the template of a prompt had when it became the messages of a call. Messages after those of the
 * prompt are kept; a placeholder takes what is between its neighbours.
 */
export function solvePrompt(link: PromptLink, template: Item[], sent: Item[]): Solved {
  const said = `version ${link.version} of ${link.name}`
  const places = template.filter((item) => item.kind === 'placeholder')
  if (places.length > 1)
    return {
      kind: 'unsolved',
      reason: `There are several placeholders in ${said}: which message came from which is not known.`,
    }
  const alone = template.length === 1 ? template[0] : undefined
  const at = template.findIndex((item) => item.kind === 'placeholder')
  const before = at < 0 ? template : template.slice(0, at)
  const after = at < 0 ? [] : template.slice(at + 1)
  // A text prompt is one message, wherever the application put it.
  const starts = alone?.kind === 'message' ? sent.map((_, index) => index) : [0]
  let ambiguous = false
  for (const start of starts) {
    if (sent.length < start + before.length + after.length) continue
    const end = sent.length - after.length
    const pairs = [
      ...before.map((item, index) => [item, sent[start + index]] as const),
      ...after.map((item, index) => [item, sent[end + index]] as const),
    ]
    if (pairs.some(([a, b]) => !isSameKind(a, b, alone !== undefined))) continue
    const match = matchTemplates(
      pairs.map(([a, b]) => ({
        template: a.kind === 'message' ? a.text : '',
        text: b?.kind === 'message' ? b.text : '',
      })),
    )
    if (match.kind === 'several') ambiguous = true
    if (match.kind !== 'one') continue
    const middle = at < 0 ? [] : sent.slice(before.length, end)
    const place = places[0]
    const items =
      at < 0
        ? [
            ...sent.slice(0, start),
            ...before.map((item, index) => likeSent(item, sent[start + index])),
            ...sent.slice(start + before.length),
          ]
        : template
    return {
      kind: 'solved',
      items,
      variables: match.values,
      placeholders: place?.kind === 'placeholder' ? { [place.name]: middle } : {},
    }
  }
  return {
    kind: 'unsolved',
    reason: ambiguous
      ? `The messages fit ${said} with different values of its variables, so they are shown as they were sent.`
      : `The messages do not fit ${said}, so they are shown as they were sent.`,
  }
}

/** The role that the application gave to a text prompt counts, and its files stay. */
function likeSent(item: Item, sent: Item | undefined): Item {
  return item.kind === 'message' && sent?.kind === 'message'
    ? { ...item, role: sent.role, files: sent.files, calls: sent.calls }
    : item
}

function isSameKind(template: Item, sent: Item | undefined, anyRole: boolean): boolean {
  return (
    template.kind === 'message' &&
    sent?.kind === 'message' &&
    (anyRole || template.role === sent.role)
  )
}
