import type { Json } from '../json/model/json'
import type { Format, Reader } from './format'
import { mediaPart } from './media'
import { textParts, thinking, toolCall, toolCalls, toolResult } from './parts'
import { roleOf } from './roles'
import type { Conversation, MediaKind, Part } from './types'

const types = new Set(['human', 'ai', 'system', 'tool', 'function', 'chat', 'developer'])
const chunks: Record<string, string> = {
  AIMessageChunk: 'ai',
  HumanMessageChunk: 'human',
  SystemMessageChunk: 'system',
  ToolMessageChunk: 'tool',
}

/** LangChain and LangGraph: serialized messages, messages with a type, states, commands, generations. */
export const langchain: Format = {
  value: (value, read) => {
    if (value.isArray) return fromCommands(value, read) ?? fromCalls(value)
    const generations = value.get('generations')
    if (generations.isArray) return fromGenerations(generations, read)
    return fromState(value, read)
  },
  message: (value, read) => {
    const inner = unpacked(value)
    if (!inner) return undefined
    const { type, data } = inner
    const name = data.get('name').string
    const named = name === undefined ? {} : { name }
    const content = read.parts(data.get('content'))
    if (type === 'tool' || type === 'function') {
      const isError = data.get('status').string === 'error'
      const result = toolResult(data.get('tool_call_id'), data.get('name'), content, isError)
      return { messages: [{ role: 'tool', ...named, parts: [result] }], tools: [] }
    }
    const role = type === 'chat' ? (data.get('role').string ?? 'chat') : type
    const parts = [
      ...reasoning(data),
      ...content.filter((p) => p.kind !== 'toolCall'),
      ...calls(data, content),
    ]
    return { messages: [{ role: roleOf(role), ...named, parts }], tools: [] }
  },
  part: (value, read) => {
    const type = value.get('type').string
    switch (type) {
      case 'image':
      case 'audio':
      case 'video':
      case 'file':
        return file(value, type)
      case 'reasoning':
        return value.get('reasoning').isString ? thinking(value.get('reasoning').string) : undefined
      case 'text-plain':
        return textParts(value.get('text').string)
      case 'non_standard':
        return read.parts(value.get('value'))
      default:
        return undefined
    }
  },
}

/** The content of a message: serialized, wrapped, or plain. */
function unpacked(value: Json): { type: string; data: Json } | undefined {
  const word = value.get('type').string
  if (word === 'constructor' && value.get('lc').exists) {
    const data = value.get('kwargs')
    const name = value.get('id').elements().at(-1)?.string ?? ''
    const type = data.get('type').string ?? name.replace(/Message(Chunk)?$/, '').toLowerCase()
    const known = chunks[type] ?? type
    return name.includes('Message') && data.isObject ? { type: known, data } : undefined
  }
  const type = word === undefined ? undefined : (chunks[word] ?? word)
  if (type === undefined || !types.has(type)) return undefined
  const data = value.get('data')
  if (data.isObject && data.get('content').kind !== 'missing') return { type, data }
  return value.get('content').kind === 'missing' ? undefined : { type, data: value }
}

function reasoning(data: Json): Part[] {
  return thinking(data.get('additional_kwargs').get('reasoning_content').string)
}

/** Calls are recorded up to three times: in the content, in a list, and in the provider's format. */
function calls(data: Json, content: Part[]): Part[] {
  const listed = [
    ...toolCalls(data.get('tool_calls')),
    ...toolCalls(data.get('invalid_tool_calls')),
  ]
  if (listed.length > 0) return listed
  const inside = content.filter((part) => part.kind === 'toolCall')
  if (inside.length > 0) return inside
  const additional = data.get('additional_kwargs')
  const old = toolCall(additional.get('function_call'))
  return old ? [old] : toolCalls(additional.get('tool_calls'))
}

function file(value: Json, kind: MediaKind): Part[] | undefined {
  return mediaPart(value.first('base64', 'url', 'data', 'source').string, {
    kind,
    type: value.first('mime_type', 'mimeType').string,
    name: value.first('filename', 'name').string,
  })
}

/** A state is an object with messages, wrapped in another object by some tracers. */
function fromState(value: Json, read: Reader): Conversation | undefined {
  for (const name of ['inputs', 'outputs', 'output', 'update', 'state']) {
    const inner = value.get(name)
    if (inner.get('messages').isArray) return read.messages(inner.get('messages'))
    if (unpacked(inner)) return read.messages(inner)
    if (inner.isArray && isCommands(inner)) return fromCommands(inner, read)
  }
  return undefined
}

function isCommands(list: Json): boolean {
  const all = list.elements()
  return all.length > 0 && all.every((each) => each.get('update').get('messages').isArray)
}

/** The commands that a node of a graph returns. */
function fromCommands(list: Json, read: Reader): Conversation | undefined {
  if (!isCommands(list)) return undefined
  const conversation: Conversation = { messages: [], tools: [] }
  for (const each of list.elements()) {
    const said = read.messages(each.get('update').get('messages'))
    conversation.messages.push(...said.messages)
    conversation.tools.push(...said.tools)
  }
  return conversation
}

/** The calls passed to a tool node. */
function fromCalls(list: Json): Conversation | undefined {
  const all = list.elements()
  const isCalls =
    all.length > 0 &&
    all.every(
      (each) =>
        !each.get('role').exists &&
        (each.get('type').string === 'tool_call' || each.get('toolCallId').isString),
    )
  return isCalls
    ? { messages: [{ role: 'assistant', parts: toolCalls(list) }], tools: [] }
    : undefined
}

function fromGenerations(generations: Json, read: Reader): Conversation | undefined {
  const conversation: Conversation = { messages: [], tools: [] }
  for (const batch of generations.elements())
    for (const each of batch.isArray ? batch.elements() : [batch]) {
      if (each.get('message').isObject)
        conversation.messages.push(...read.messages(each.get('message')).messages)
      else if (each.get('text').isString)
        conversation.messages.push({ role: 'assistant', parts: textParts(each.get('text').string) })
      else return undefined
    }
  return conversation.messages.length === 0 ? undefined : conversation
}
