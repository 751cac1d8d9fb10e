import type { Json } from '../json/model/json'
import type { Format, Reader } from './format'
import { mediaPart } from './media'
import { resultParts, textParts, thinking, toolCall, toolResult } from './parts'
import type { Message, Part } from './types'

/** The Vercel AI SDK: prompts, model messages and UI messages, parts with hyphenated types. */
export const vercel: Format = {
  value: (value, read) => {
    const prompt = value.get('prompt')
    if (prompt.isString || prompt.isArray) {
      const system = value.get('system')
      const before: Message[] = system.exists ? [{ role: 'system', parts: read.parts(system) }] : []
      const said = prompt.isString
        ? { messages: [{ role: 'user', parts: textParts(prompt.string) }], tools: [] }
        : read.messages(prompt)
      return {
        messages: [...before, ...said.messages],
        tools: [...read.tools(value.get('tools')), ...said.tools],
      }
    }
    return undefined
  },
  message: (value, read) => {
    // The result of a call or of one of its steps.
    const calls = value.get('toolCalls')
    if (!calls.isArray || value.get('role').exists) return undefined
    const said = [...thinking(value.get('reasoningText').string), ...read.parts(value.get('text'))]
    const results = read.parts(value.get('toolResults'))
    return {
      messages: [
        { role: 'assistant', parts: [...said, ...read.parts(calls)] },
        ...(results.length === 0 ? [] : [{ role: 'tool', parts: results }]),
      ],
      tools: [],
    }
  },
  part: (value, read) => {
    const type = value.get('type').string
    switch (type) {
      case 'reasoning':
        return value.get('text').isString ? thinking(value.get('text').string) : undefined
      case 'tool-call': {
        const call = toolCall(value)
        return call && [call]
      }
      case 'tool-result':
      case 'tool-error':
        return [result(value, read, type === 'tool-error')]
      case 'image':
        return mediaPart(value.get('image').string, {
          kind: 'image',
          type: value.first('mediaType', 'mimeType').string ?? 'image/png',
        })
      case 'file':
        return mediaPart(value.first('data', 'url').string, {
          kind: 'file',
          type: value.first('mediaType', 'mimeType').string,
          name: value.first('filename', 'name').string,
        })
      case 'step-start':
        return []
      case 'tool-invocation':
        return invocation(
          value.get('toolInvocation'),
          value.get('toolInvocation').get('toolName'),
          read,
        )
      default:
        if (
          value.get('toolCallId').isString &&
          value.get('toolName').isString &&
          type === undefined
        ) {
          const call = toolCall(value)
          return call && [call]
        }
        return type?.startsWith('tool-') || type === 'dynamic-tool'
          ? invocation(value, value.get('toolName'), read, type.slice('tool-'.length))
          : undefined
    }
  },
}

/** A tool result; its type tells what the output consists of. */
function result(value: Json, read: Reader, failed: boolean): Part {
  const output = value.first('output', 'result', 'error')
  const kind = output.get('type').string
  const inner = output.get('value')
  const isWrapped = kind !== undefined && inner.kind !== 'missing'
  const isError = failed || value.get('isError').isTrue || kind?.startsWith('error') === true
  const given = isWrapped ? inner : output
  const content = kind === 'content' && given.isArray ? read.parts(given) : resultParts(given)
  return toolResult(value.get('toolCallId'), value.get('toolName'), content, isError)
}

/** A call and its result in one, as in UI messages. */
function invocation(value: Json, name: Json, read: Reader, fallback = ''): Part[] | undefined {
  const id = value.get('toolCallId').string
  const given = value.first('input', 'args')
  const tool = name.string ?? fallback
  if (id === undefined || tool === '') return undefined
  const call: Part = {
    kind: 'toolCall',
    id,
    name: tool,
    arguments: given.exists ? given.asText : '{}',
  }
  const failure = value.get('errorText')
  const output = value.first('output', 'result')
  if (!output.exists && !failure.exists) return [call]
  const content = failure.exists
    ? resultParts(failure)
    : output.isArray
      ? read.parts(output)
      : resultParts(output)
  return [call, toolResult(value.get('toolCallId'), name, content, failure.exists)]
}
