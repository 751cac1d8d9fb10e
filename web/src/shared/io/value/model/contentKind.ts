import { Json } from '../../json/model/json'
import { readConversation } from '../../messages/readConversation'
import type { Conversation } from '../../messages/types'

/** Longer values are not parsed as conversations: the JSON tree is quicker to navigate. */
export const longestConversation = 2_000_000

/** What a stored value is: a conversation, other JSON, or text. */
export type ContentKind =
  | { kind: 'conversation'; conversation: Conversation }
  | { kind: 'json' }
  | { kind: 'text'; text: string }

export function detectContent(text: string, isCut: boolean): ContentKind {
  // Only the beginning of long texts is examined; the viewer finds out whether they are JSON.
  if (text.length > longestConversation)
    return /^\s*[[{]/.test(text) ? { kind: 'json' } : { kind: 'text', text }
  const value = /^\s*[[{"]/.test(text) ? Json.parse(text, isCut) : undefined
  if (!value) return { kind: 'text', text }
  if (value.isString) return { kind: 'text', text: value.string ?? '' }
  const conversation = readConversation(value)
  return conversation ? { kind: 'conversation', conversation } : { kind: 'json' }
}
