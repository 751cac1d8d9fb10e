import { newId } from '@/shared/lib/newId'
import { defaultParams, type Params } from './params'

export type Role = 'system' | 'developer' | 'user' | 'assistant'

export type ToolCall = { id: string; name: string; arguments: string; signature?: string }

/** A file in a message: one that is stored on this server, or an address that the provider fetches. */
export type FilePart = {
  kind: 'image' | 'audio' | 'file'
  mediaId?: string
  url?: string
  type?: string
  name?: string
}

export type MessageItem = {
  id: string
  kind: 'message'
  role: Role
  text: string
  files: FilePart[]
  calls: ToolCall[]
}

/** What is sent to the model, in order: messages, results of tools, and places for messages that variables fill. */
export type Item =
  | MessageItem
  | { id: string; kind: 'result'; callId: string; text: string }
  | { id: string; kind: 'placeholder'; name: string }

export type Tool = {
  name: string
  description: string
  /** A JSON Schema, as text: it may be half written. */
  parameters: string
  /** What a call of the tool answers here. */
  mock: string
}

export type Schema = { name: string; text: string }

export type PromptLink = { name: string; version: number }

/** The answer that a window began with, to compare new ones to. */
export type Original = {
  traceId: string
  observationId: string
  text: string
  level: string
  statusMessage: string
  ms?: number
  cost?: number
  totalTokens?: number
}

/** A window: a model with all it is sent. */
export type Pane = {
  id: string
  connection: string
  model: string
  params: Params
  items: Item[]
  tools: Tool[]
  /** auto, none, required, or the name of a tool. */
  toolChoice: string
  schema: Schema | null
  prompt: PromptLink | null
  original: Original | null
}

export type State = {
  panes: Pane[]
  /** The values of {{variables}}, the same in all windows. */
  variables: Record<string, string>
  /** The messages of placeholders, as JSON texts. */
  placeholders: Record<string, string>
  /** The dataset whose first items are rows of variables. */
  dataset: string | null
  repeat: number
}

export const mostPanes = 6
export const mostRepeats = 10

export { newId }

export function emptyMessage(role: Role, text = ''): MessageItem {
  return { id: newId(), kind: 'message', role, text, files: [], calls: [] }
}

export function emptyPane(): Pane {
  return {
    id: newId(),
    connection: '',
    model: '',
    params: defaultParams,
    items: [emptyMessage('system'), emptyMessage('user')],
    tools: [],
    toolChoice: 'auto',
    schema: null,
    prompt: null,
    original: null,
  }
}

export function emptyState(): State {
  return { panes: [emptyPane()], variables: {}, placeholders: {}, dataset: null, repeat: 1 }
}

/** Whether nothing was written into a playground, so that it may be replaced without asking. */
export function isPristine(state: State): boolean {
  return state.panes.every(
    (pane) =>
      pane.items.every(
        (item) =>
          item.kind === 'message' &&
          item.text === '' &&
          item.files.length === 0 &&
          item.calls.length === 0,
      ) && pane.tools.length === 0,
  )
}

/** A copy of a window beside it; its items have ids of their own. */
export function copyOf(pane: Pane): Pane {
  return { ...pane, id: newId(), items: pane.items.map((item) => ({ ...item, id: newId() })) }
}

/** The list with an element moved by some places. */
export function moved<T>(list: readonly T[], from: number, by: number): T[] {
  const to = from + by
  const element = list[from]
  if (element === undefined || to < 0 || to >= list.length) return [...list]
  const rest = list.toSpliced(from, 1)
  return rest.toSpliced(to, 0, element)
}

/** The role that a new message most likely has. */
export function nextRole(items: readonly Item[]): Role {
  const last = items.at(-1)
  return last?.kind === 'message' && last.role === 'user' ? 'assistant' : 'user'
}

/** A, B, C: what windows are called. */
export const letterOf = (index: number) => String.fromCharCode(65 + index)
