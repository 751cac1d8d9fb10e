import type { Format } from './format'
import { mediaPart } from './media'
import { other, textParts, toolCall, toolResult } from './parts'

/** The Model Context Protocol: tool calls, their results, and the tool lists of servers. */
export const mcp: Format = {
  value: (value, read) => {
    const method = value.get('method').string
    if (method === 'tools/call') {
      const call = toolCall(value.get('params'))
      return call && { messages: [{ role: 'assistant', parts: [call] }], tools: [] }
    }
    const result = value.get('jsonrpc').exists ? value.get('result') : value
    const listed = result.get('tools')
    if (
      listed.isArray &&
      listed.elements().some((tool) => tool.first('inputSchema', 'input_schema').isObject)
    )
      return value.get('messages').exists ? undefined : { messages: [], tools: read.tools(listed) }
    const isResult =
      result.get('content').isArray &&
      (result.get('isError').kind === 'boolean' || result.get('structuredContent').isObject)
    if (!isResult || result.get('role').exists) return undefined
    const content = read.parts(result.get('content'))
    // Servers with structured content should also send it as text.
    if (content.length === 0 && result.get('structuredContent').isObject)
      content.push(other(result.get('structuredContent')))
    const none = result.get('id')
    return {
      messages: [
        { role: 'tool', parts: [toolResult(none, none, content, result.get('isError').isTrue)] },
      ],
      tools: [],
    }
  },
  part: (value) => {
    const type = value.get('mimeType').string
    switch (value.get('type').string) {
      case 'image':
      case 'audio':
        return mediaPart(value.get('data').string, { type })
      case 'resource_link':
        return mediaPart(value.get('uri').string, { type, name: value.get('name').string })
      case 'resource': {
        const resource = value.get('resource')
        const text = resource.get('text').string
        if (text !== undefined) return textParts(text)
        return mediaPart(resource.get('blob').string, {
          type: resource.get('mimeType').string ?? 'application/octet-stream',
          name: resource.get('uri').string,
        })
      }
      default:
        return undefined
    }
  },
}
