import type { Json } from '../json/model/json'
import type { Format } from './format'
import { mediaPart } from './media'
import { hiddenThinking, other, textParts, thinking, toolCall, toolResult } from './parts'
import type { Conversation, MediaKind, Part } from './types'

/**
 * Anthropic messages: content blocks, and the events of a stream. Requests are read as OpenAI requests with `system`.
 */
export const anthropic: Format = {
  value: (value) => {
    const events = value.elements()
    return events[0]?.get('type').string === 'message_start' ? joinEvents(events) : undefined
  },
  part: (value, read) => {
    const type = value.get('type').string
    switch (type) {
      case 'thinking':
        return value.get('thinking').isString ? thinking(value.get('thinking').string) : undefined
      case 'redacted_thinking':
        return hiddenThinking
      case 'tool_use':
      case 'server_tool_use':
      case 'mcp_tool_use': {
        const call = toolCall(value)
        return call && [call]
      }
      case 'image':
      case 'document':
        return fromSource(value, type === 'image' ? 'image' : 'file')
      case 'search_result':
        return [...textParts(value.get('title').string), ...read.parts(value.get('content'))]
      default:
        if (!type?.endsWith('tool_result') || !value.get('tool_use_id').isString) return undefined
        return [
          toolResult(
            value.get('tool_use_id'),
            value.get('tool_name'),
            read.parts(value.get('content')),
            value.get('is_error').isTrue,
          ),
        ]
    }
  },
}

function fromSource(value: Json, kind: MediaKind): Part[] | undefined {
  const source = value.get('source')
  const type = source.get('media_type').string
  const name = value.get('title').string
  switch (source.get('type').string) {
    case 'base64':
      return mediaPart(source.get('data').string, { kind, type, name })
    case 'url':
      return mediaPart(source.get('url').string, { kind, type, name })
    case 'text':
      return textParts(source.get('data').string)
    default:
      return undefined
  }
}

/** The message assembled from a stream of events. */
function joinEvents(events: readonly Json[]): Conversation {
  type Block = { start: Json; text: string }
  const blocks = new Map<string, Block>()
  for (const event of events) {
    const at = event.get('index').raw
    if (event.get('type').string === 'content_block_start')
      blocks.set(at, { start: event.get('content_block'), text: '' })
    const block = blocks.get(at)
    const delta = event.get('delta')
    if (block) block.text += delta.first('text', 'thinking', 'partial_json').string ?? ''
  }
  const parts = [...blocks.values()].flatMap(({ start, text }): Part[] => {
    switch (start.get('type').string) {
      case 'text':
        return textParts((start.get('text').string ?? '') + text)
      case 'thinking':
        return thinking((start.get('thinking').string ?? '') + text)
      case 'redacted_thinking':
        return hiddenThinking
      default: {
        const call = toolCall(start)
        return call ? [text === '' ? call : { ...call, arguments: text }] : [other(start)]
      }
    }
  })
  return { messages: [{ role: 'assistant', parts }], tools: [] }
}
