import { Json } from '../../json/model/json'
import { readConversation } from '../../messages/readConversation'
import type { Conversation } from '../../messages/types'

/** Longer values are not read as conversations: the tree of their JSON is quicker to get around in. */
export const longestConversation = 2_000_000

/** What a stored value is: a conversation, other JSON, or a text. */
export type Look =
  | { kind: 'conversation'; conversation: Conversation }
  | { kind: 'json' }
  | { kind: 'text'; text: string }

export function lookOf(text: string, isCut: boolean): Look {
  // Only the first letters of long texts are looked at; the viewer finds out whether they are JSON.
  if (text.length > longestConversation)
    return /^\s*[[{]/.test(text) ? { kind: 'json' } : { kind: 'text', text }
  const value = /^\s*[[{"]/.test(text) ? Json.parse(text, isCut) : undefined
  if (!value) return { kind: 'text', text }
  if (value.isString) return { kind: 'text', text: value.string ?? '' }
  const conversation = readConversation(value)
  return conversation ? { kind: 'conversation', conversation } : { kind: 'json' }
}
