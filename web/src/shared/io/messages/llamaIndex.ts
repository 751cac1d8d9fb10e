import type { Json } from '../json/model/json'
import type { Format } from './format'
import { mediaPart } from './media'
import { textParts, thinking, toolCall, toolCalls, toolResult } from './parts'
import { readRepresentation } from './representation'
import { roleOf } from './roles'

/** LlamaIndex: messages with blocks, and messages as printed by Python. */
export const llamaIndex: Format = {
  value: (value, read) => {
    const message = value.get('message')
    if (!message.get('blocks').isArray) return undefined
    return read.messages(message)
  },
  message: (value, read) => {
    const printed = value.string === undefined ? undefined : readRepresentation(value.string)
    if (printed) return { messages: [printed], tools: [] }
    const blocks = value.get('blocks')
    if (!blocks.isArray) return undefined
    const content = read.parts(blocks)
    const tool = value.get('tool_name')
    if (tool.isString)
      return {
        messages: [
          {
            role: 'tool',
            parts: [
              toolResult(value.get('tool_call_id'), tool, content, value.get('is_error').isTrue),
            ],
          },
        ],
        tools: [],
      }
    const role = value.get('role').string
    if (role === undefined) return undefined
    const additional = value.get('additional_kwargs')
    if (roleOf(role) === 'tool') {
      const result = toolResult(
        additional.get('tool_call_id'),
        additional.get('name'),
        content,
        false,
      )
      return { messages: [{ role: 'tool', parts: [result] }], tools: [] }
    }
    const listed = content.some((part) => part.kind === 'toolCall')
      ? []
      : toolCalls(additional.get('tool_calls'))
    return { messages: [{ role: roleOf(role), parts: [...content, ...listed] }], tools: [] }
  },
  part: (value) => {
    const type = value.get('mimetype').string
    switch (value.get('block_type').string) {
      case 'text':
        return textParts(value.get('text').string)
      case 'thinking':
        return thinking(value.get('content').string)
      case 'tool_call': {
        const call = toolCall(value)
        return call && [call]
      }
      case 'image':
        return media(value, 'image', type ?? value.get('image_mimetype').string)
      case 'audio':
        return media(value, 'audio', type)
      case 'video':
        return media(value, 'video', type)
      case 'document':
        return media(value, 'data', type)
      default:
        return undefined
    }
  },
}

function media(
  value: Json,
  member: 'image' | 'audio' | 'video' | 'data',
  type: string | undefined,
) {
  return mediaPart(value.first(member, 'url').string, {
    kind: member === 'data' ? 'file' : member,
    type,
    name: value.get('title').string,
  })
}
