import type { Json } from '../json/model/json'
import type { Conversation, Part, ToolDefinition } from './types'

/**
 * Reads the values of one library or provider. Each function returns undefined for what it does not recognize; then the
 * next format is tried. So the messages of a value may have different formats, and one that no format recognizes stays
 * as it is.
 */
export type Format = {
  /** A whole value: a request, a response, a state. */
  value?: (value: Json, read: Reader) => Conversation | undefined
  /** One message. Some expand to several, or define tools. */
  message?: (value: Json, read: Reader) => Conversation | undefined
  /** One part of a message; an empty list for what need not be shown. */
  part?: (value: Json, read: Reader) => Part[] | undefined
}

/** Reads the content of a value with all formats. */
export type Reader = {
  messages: (list: Json) => Conversation
  parts: (content: Json) => Part[]
  tools: (list: Json) => ToolDefinition[]
}
