import type { Json } from '../json/model/json'
import type { Format } from './format'
import { mediaKind, mediaPart } from './media'
import { resultParts, textParts, thinking, toolCall, toolResult } from './parts'
import { roleOf } from './roles'

/** OpenTelemetry's semantic conventions for generative AI: messages with parts, and the events of earlier versions. */
export const genai: Format = {
  message: (value, read) => {
    const role = value.get('role').string
    if (role !== undefined && value.get('parts').isArray) {
      const name = value.get('name').string
      const parts = read.parts(value.get('parts'))
      const isResult = parts.length > 0 && parts.every((part) => part.kind === 'toolResult')
      return {
        messages: [
          { role: isResult ? 'tool' : roleOf(role), ...(name !== undefined && { name }), parts },
        ],
        tools: [],
      }
    }
    return fromEvent(value, role, read.messages)
  },
  part: (value, read) => {
    const content = value.get('content')
    switch (value.get('type').string) {
      case 'text':
        return content.isString ? textParts(content.string) : undefined
      case 'reasoning':
      case 'thinking':
        return content.isString ? thinking(content.string) : undefined
      case 'tool_call': {
        const call = toolCall(value)
        return call && [call]
      }
      case 'tool_call_response': {
        const result = value.first('response', 'result', 'content')
        const parts = result.isArray ? read.parts(result) : resultParts(result)
        return [toolResult(value.get('id'), value.get('name'), parts, value.get('is_error').isTrue)]
      }
      case 'blob':
        return mediaPart(content.string ?? value.get('data').string, {
          kind: mediaKind(value.get('modality')),
          type: value.first('mime_type', 'media_type').string,
        })
      case 'uri':
        return mediaPart(value.get('uri').string, {
          kind: mediaKind(value.get('modality')),
          type: value.get('mime_type').string,
        })
      default:
        return undefined
    }
  },
}

/** A choice or message event: its attributes are the message, or contain it as JSON. */
function fromEvent(
  value: Json,
  role: string | undefined,
  messages: (list: Json) => ReturnType<NonNullable<Format['message']>>,
) {
  const event = value.get('event.name').string
  const inner = value.get('message').unwrapped
  const isChoice = event === 'gen_ai.choice' || value.get('finish_reason').exists
  if (!isChoice || role !== undefined || !inner.isObject) return undefined
  const said = messages(inner)
  return said?.messages.length === 1 ? said : undefined
}
