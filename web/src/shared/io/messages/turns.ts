import { compact } from '../json/model/compact'
import { Json } from '../json/model/json'
import type { Message, Part } from './types'

/** What is new in a turn, and how many of the messages before it were known already. */
export type NewInTurn = { messages: Message[]; known: number }

/**
 * The messages of this turn that are new compared with the previous turn (its input and, if known, its output): the
 * common prefix is dropped. Unchanged instructions are dropped even if others were inserted before them.
 */
export function newInTurn(previous: readonly Message[], current: readonly Message[]): NewInTurn {
  const old = parted(previous)
  const now = parted(current)
  const instructions = new Set(old.instructions.map(messageKey))
  const changed = now.instructions.filter((message) => !instructions.has(messageKey(message)))
  let same = 0
  while (
    same < Math.min(old.rest.length, now.rest.length) &&
    isSame(old.rest[same], now.rest[same])
  )
    same++
  const messages = [...changed, ...now.rest.slice(same)]
  return { messages, known: current.length - messages.length }
}

/** Splits a conversation into its leading instructions and everything else. */
function parted(messages: readonly Message[]): { instructions: Message[]; rest: Message[] } {
  const first = messages.findIndex(({ role }) => role !== 'system' && role !== 'developer')
  const at = first === -1 ? messages.length : first
  return { instructions: messages.slice(0, at), rest: messages.slice(at) }
}

function isSame(a: Message | undefined, b: Message | undefined): boolean {
  return a !== undefined && b !== undefined && messageKey(a) === messageKey(b)
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
