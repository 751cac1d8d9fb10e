import { Json } from '../json/model/json'
import type { Format, Reader } from './format'
import { formats } from './formats'
import { other, textParts } from './parts'
import { toolDefinitions } from './tools'
import type { Conversation, Message, Part, ToolDefinition } from './types'

/** More messages than anybody reads; parsing each of them would block the page. */
export const maxMessages = 2000

/** How deep values are parsed: a request has messages, which have parts, which have results, which have parts. */
const deepest = 12

/**
 * The conversation in a value, or undefined if it is something else. Each message is read by the first format that
 * recognizes it; a message that none recognizes is shown as stored.
 */
export function readConversation(value: Json): Conversation | undefined {
  if (value.isArray && value.size > maxMessages) return undefined
  const read = createReader(0)
  const found = ask((format) => format.value?.(value, read))
  if (found) return isEmpty(found) ? undefined : found
  if (value.isArray) {
    const said = read.messages(value)
    return said.messages.some(({ role }) => role !== unknownRole) || said.tools.length > 0
      ? said
      : undefined
  }
  const one = ask((format) => format.message?.(value, read))
  return one && !isEmpty(one) ? one : undefined
}

/** The conversation in a stored text. */
export function readConversationText(text: string, mayBeCut = false): Conversation | undefined {
  const value = Json.parse(text, mayBeCut)
  return value && readConversation(value)
}

/** The tools defined in a stored text. */
export function readToolsText(text: string): ToolDefinition[] {
  const value = Json.parse(text)
  return value ? toolDefinitions(value) : []
}

function isEmpty({ messages, tools }: Conversation): boolean {
  return messages.length === 0 && tools.length === 0
}

/** The role of anything that is not a message. */
export const unknownRole = ''

function ask<T>(question: (format: Format) => T | undefined): T | undefined {
  for (const format of formats) {
    const answer = question(format)
    if (answer !== undefined) return answer
  }
  return undefined
}

function moreMessages(total: number): Message {
  const text = `${total - maxMessages} more messages are only shown as JSON.`
  return { role: unknownRole, parts: [{ kind: 'text', text }] }
}

function createReader(depth: number): Reader {
  let within: Reader | undefined
  const inner = (): Reader => (within ??= createReader(depth + 1))
  return {
    messages: (list) => {
      const all = list.isArray ? list.elements() : [list]
      const conversation: Conversation = { messages: [], tools: [] }
      for (const each of all.slice(0, maxMessages)) {
        // LangChain has a list of messages for each prompt.
        const nested = each.isArray && depth < deepest
        const said = nested
          ? inner().messages(each)
          : depth < deepest
            ? ask((format) => format.message?.(each, inner()))
            : undefined
        conversation.messages.push(
          ...(said?.messages ?? [{ role: unknownRole, parts: [other(each)] }]),
        )
        conversation.tools.push(...(said?.tools ?? []))
      }
      if (all.length > maxMessages) conversation.messages.push(moreMessages(all.length))
      return conversation
    },
    parts: (content) => {
      if (!content.exists) return []
      if (content.isString) return fromText(content, inner(), depth)
      const all = content.isArray ? content.elements() : [content]
      return all.flatMap((each): Part[] => {
        if (each.isString) return textParts(each.string)
        if (each.kind === 'null') return []
        const known = depth < deepest ? ask((format) => format.part?.(each, inner())) : undefined
        return known ?? [other(each)]
      })
    },
    tools: toolDefinitions,
  }
}

/** Some libraries encode the parts of a message as a string. It is read as parts if all of them are recognized. */
function fromText(content: Json, read: Reader, depth: number): Part[] {
  const list = content.unwrapped
  if (
    list.isArray &&
    depth < deepest &&
    list.elements().every((each) => each.get('type').isString)
  ) {
    const parts = read.parts(list)
    if (parts.length > 0 && parts.every((part) => part.kind !== 'other')) return parts
  }
  return textParts(content.string)
}
