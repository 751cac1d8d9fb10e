import { compact } from '../json/model/compact'
import { Json } from '../json/model/json'
import type { Message, Part } from './types'

/** What is new in a turn, and how many of the messages before it were known already. */
export type NewInTurn = { messages: Message[]; known: number }

/** Messages with their keys, split into leading instructions and everything else. */
export type Keyed = {
  messages: readonly Message[]
  /** The number of leading instructions. */
  instructions: number
  keys: readonly unknown[]
}

/** Messages with the keys that `keyOf` finds for them. Each is asked for once, since keys are expensive. */
export function keyed(messages: readonly Message[], keyOf: (message: Message) => unknown): Keyed {
  const first = messages.findIndex(({ role }) => role !== 'system' && role !== 'developer')
  const instructions = first === -1 ? messages.length : first
  return { messages, instructions, keys: messages.map(keyOf) }
}

/**
 * The messages of this turn that are new compared with the previous turn (its input and, if known, its output): the
 * common prefix is dropped. Unchanged instructions are dropped even if others were inserted before them.
 */
export function newInTurn(previous: Keyed, current: Keyed): NewInTurn {
  const instructions = new Set(previous.keys.slice(0, previous.instructions))
  const changed = current.messages
    .slice(0, current.instructions)
    .filter((_, at) => !instructions.has(current.keys[at]))
  const most = Math.min(
    previous.keys.length - previous.instructions,
    current.keys.length - current.instructions,
  )
  let same = 0
  while (
    same < most &&
    previous.keys[previous.instructions + same] === current.keys[current.instructions + same]
  )
    same++
  const messages = [...changed, ...current.messages.slice(current.instructions + same)]
  return { messages, known: current.messages.length - messages.length }
}

/**
 * A key for the content of a message, without differences that do not matter: whitespace in JSON, reasoning that is not
 * sent back.
 */
export function messageKey({ role, parts }: Message): string {
  return JSON.stringify([role, parts.filter((part) => part.kind !== 'thinking').map(partKey)])
}

function partKey(part: Part): unknown {
  switch (part.kind) {
    case 'toolCall':
      return [part.kind, part.id ?? '', part.name, spelled(part.arguments)]
    case 'toolResult':
      return [part.kind, part.callId ?? '', part.content.map(partKey)]
    case 'other':
      return [part.kind, spelled(part.json)]
    case 'text':
      return [part.kind, part.text]
    case 'thinking':
      return [part.kind]
    case 'image':
    case 'audio':
    case 'video':
    case 'file':
      return [part.kind, part.source]
  }
}

function spelled(text: string): string {
  const value = Json.parse(text)
  return value ? compact(value) : text
}
