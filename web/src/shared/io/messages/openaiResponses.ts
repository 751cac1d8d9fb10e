import type { Json } from '../json/model/json'
import type { Format, Reader } from './format'
import { mediaPart } from './media'
import {
  hiddenThinking,
  other,
  resultParts,
  textParts,
  thinking,
  toolCall,
  toolResult,
} from './parts'
import type { Conversation, Message, Part } from './types'

/** OpenAI responses: input and output are lists of items, of which messages are one kind. */
export const openaiResponses: Format = {
  value: (value, read) => {
    if (value.isArray) return fromEvents(value, read)
    if (value.get('object').string === 'response' && value.get('output').isArray)
      return { ...items(value.get('output'), read), tools: read.tools(value.get('tools')) }
    const input = value.get('input')
    const isRequest = value.get('model').isString || value.get('instructions').isString
    if (!isRequest || (!input.isString && !isItems(input))) return undefined
    const instructions = value.get('instructions').string
    const said: Conversation = input.isString
      ? { messages: [{ role: 'user', parts: textParts(input.string) }], tools: [] }
      : items(input, read)
    return {
      messages: [
        ...(instructions === undefined ? [] : [{ role: 'system', parts: textParts(instructions) }]),
        ...said.messages,
      ],
      tools: [...read.tools(value.get('tools')), ...said.tools],
    }
  },
  message: (value, read) => {
    if (value.get('role').exists) return undefined
    const type = value.get('type').string
    if (type === 'mcp_list_tools') return { messages: [], tools: read.tools(value.get('tools')) }
    const parts = itemParts(value, type, read)
    if (!parts) return undefined
    const isResult = parts.every((part) => part.kind === 'toolResult')
    return { messages: [{ role: isResult ? 'tool' : 'assistant', parts }], tools: [] }
  },
  part: (value) => {
    switch (value.get('type').string) {
      case 'input_text':
      case 'output_text':
      case 'summary_text':
        return textParts(value.get('text').string)
      case 'reasoning_text':
        return thinking(value.get('text').string)
      case 'input_image':
        return mediaPart(value.get('image_url').string, { kind: 'image' })
      case 'input_file':
        return mediaPart(value.get('file_data').string ?? value.get('file_url').string, {
          kind: 'file',
          type: value.get('file_data').string?.startsWith('data:') ? undefined : 'application/pdf',
          name: value.get('filename').string,
        })
      default:
        return undefined
    }
  },
}

/** Whether it is a list of items: messages have a role, other items a type. Embeddings take lists as input, too. */
function isItems(list: Json): boolean {
  const all = list.elements()
  return all.length > 0 && all.every((item) => item.get('role').exists || item.get('type').exists)
}

/** Joins consecutive items of the model into one message. */
function items(list: Json, read: Reader): Conversation {
  const { messages, tools } = read.messages(list)
  const joined: Message[] = []
  for (const message of messages) {
    const last = joined.at(-1)
    if (last?.role === 'assistant' && message.role === 'assistant')
      joined[joined.length - 1] = { ...last, parts: [...last.parts, ...message.parts] }
    else joined.push(message)
  }
  return { messages: joined, tools }
}

function itemParts(item: Json, type: string | undefined, read: Reader): Part[] | undefined {
  switch (type) {
    case 'reasoning': {
      // The AI SDK and LangChain have a part of this name that contains the reasoning.
      const plain = item.first('text', 'reasoning').string
      if (plain !== undefined) return thinking(plain)
      if (item.get('content').isString) return thinking(item.get('content').string)
      const said = [...item.get('summary').elements(), ...item.get('content').elements()]
      const text = said.map((each) => each.get('text').string ?? '').join('\n\n')
      return text === '' ? hiddenThinking : thinking(text)
    }
    case 'function_call':
    case 'custom_tool_call': {
      const call = toolCall(item)
      return call && [call]
    }
    case 'function_call_output':
    case 'custom_tool_call_output': {
      const output = item.get('output')
      const content = output.isArray ? read.parts(output) : resultParts(output)
      return [toolResult(item.get('call_id'), item.get('name'), content, false)]
    }
    case 'image_generation_call':
      return mediaPart(item.get('result').string, { kind: 'image', type: 'image/png' })
    case 'mcp_call': {
      const call = toolCall(item)
      if (!call) return undefined
      const result = item.first('error', 'output')
      const isError = item.get('error').exists
      return [call, toolResult(item.get('id'), item.get('name'), resultParts(result), isError)]
    }
    default:
      // Searches, shells, computer use and future kinds: calls that the provider carries out.
      if (!type?.endsWith('_call') || !item.get('id').isString) return undefined
      return [other(item)]
  }
}

/** The events of a stream: the last one contains the whole response. */
function fromEvents(list: Json, read: Reader): Conversation | undefined {
  const all = list.elements()
  if (!all[0]?.get('type').string?.startsWith('response.')) return undefined
  const response = all.findLast((event) => event.get('response').get('output').isArray)
  return response && items(response.get('response').get('output'), read)
}
