import type { Json } from '../json/model/json'
import type { Conversation, Part, ToolDefinition } from './types'

/**
 * What is known about the values of one library or provider. Each function returns undefined for what it does not know; then
 * the next format is asked. So the messages of a value may be of different formats, and one that nobody knows stands alone.
 */
export type Format = {
  /** A whole value: a request, a response, a state. */
  value?: (value: Json, read: Reader) => Conversation | undefined
  /** One message. Some are several, or define tools. */
  message?: (value: Json, read: Reader) => Conversation | undefined
  /** One part of a message; no part at all for what need not be shown. */
  part?: (value: Json, read: Reader) => Part[] | undefined
}

/** Reads what is inside of a value with all formats. */
export type Reader = {
  messages: (list: Json) => Conversation
  parts: (content: Json) => Part[]
  tools: (list: Json) => ToolDefinition[]
}
