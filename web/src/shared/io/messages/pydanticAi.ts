import type { Json } from '../json/model/json'
import type { Format } from './format'
import { mediaPart } from './media'
import { hiddenThinking, resultParts, textParts, thinking, toolCall, toolResult } from './parts'
import type { Message, Part } from './types'

/** Pydantic AI messages: requests and responses whose parts each tell who speaks. */
export const pydanticAi: Format = {
  value: (value, read) => {
    const all = value.elements()
    if (all.length === 0 || !all.every(isMessage)) return undefined
    const { messages, tools } = read.messages(value)
    // Every request repeats the instructions.
    const said = new Set<string>()
    const once = messages.filter((message) => {
      const text = JSON.stringify(message)
      return message.role !== 'system' || (!said.has(text) && said.add(text))
    })
    return { messages: once, tools }
  },
  message: (value, read) => {
    if (!isMessage(value)) return undefined
    const kind = value.get('kind').string
    const messages: Message[] = []
    const instructions = value.get('instructions').string
    if (instructions !== undefined)
      messages.push({ role: 'system', parts: textParts(instructions) })
    for (const part of value.get('parts').elements()) {
      const role = kind === 'response' ? 'assistant' : roleOfPart(part)
      const parts = read.parts(part)
      const last = messages.at(-1)
      if (last?.role === role) last.parts.push(...parts)
      else messages.push({ role, parts })
    }
    return { messages, tools: [] }
  },
  part: (value, read) => {
    const content = value.get('content')
    switch (value.get('part_kind').string) {
      case 'system-prompt':
      case 'user-prompt':
      case 'text':
        return read.parts(content)
      case 'thinking':
        return content.string === '' ? hiddenThinking : thinking(content.string)
      case 'tool-call':
      case 'builtin-tool-call': {
        const call = toolCall(value)
        return call && [{ ...call, ...idOf(value) }]
      }
      case 'tool-return':
      case 'builtin-tool-return':
        return [fromReturn(value, resultParts(content), false)]
      case 'retry-prompt':
        return value.get('tool_name').exists
          ? [fromReturn(value, resultParts(content), true)]
          : resultParts(content)
      case 'file':
        return read.parts(content)
      default:
        return fromKind(value)
    }
  },
}

function isMessage(value: Json): boolean {
  const kind = value.get('kind').string
  return (kind === 'request' || kind === 'response') && value.get('parts').isArray
}

function roleOfPart(part: Json): string {
  switch (part.get('part_kind').string) {
    case 'system-prompt':
      return 'system'
    case 'tool-return':
      return 'tool'
    case 'retry-prompt':
      return part.get('tool_name').exists ? 'tool' : 'user'
    default:
      return 'user'
  }
}

function idOf(value: Json): { id?: string } {
  const id = value.get('tool_call_id').string
  return id === undefined ? {} : { id }
}

function fromReturn(value: Json, content: Part[], isError: boolean): Part {
  return toolResult(value.get('tool_call_id'), value.get('tool_name'), content, isError)
}

/** Files in prompts. */
function fromKind(value: Json): Part[] | undefined {
  const type = value.get('media_type').string
  const name = value.get('identifier').string
  switch (value.get('kind').string) {
    case 'image-url':
      return mediaPart(value.get('url').string, { kind: 'image', type })
    case 'audio-url':
      return mediaPart(value.get('url').string, { kind: 'audio', type })
    case 'video-url':
      return mediaPart(value.get('url').string, { kind: 'video', type })
    case 'document-url':
      return mediaPart(value.get('url').string, { kind: 'file', type })
    case 'binary':
      return mediaPart(value.get('data').string, { type, name })
    default:
      return undefined
  }
}
