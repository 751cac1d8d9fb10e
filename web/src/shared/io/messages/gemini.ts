import type { Json } from '../json/model/json'
import type { Format, Reader } from './format'
import { mediaPart } from './media'
import { other, resultParts, textParts, thinking, toolCall, toolResult } from './parts'
import type { Conversation, Message, Part } from './types'

/**
 * Google's Gemini and libraries built on it: contents with parts, candidates, function calls; names in both spellings.
 */
export const gemini: Format = {
  value: (value, read) => {
    if (value.isArray) return fromStream(value, read)
    const contents = value.get('contents')
    if (contents.exists) return fromRequest(value, contents, read)
    const candidates = value.get('candidates')
    if (candidates.isArray) {
      const said = candidates.elements().map((each) => fromContent(each.get('content'), read))
      return said.length === 0 ? undefined : { messages: said, tools: [] }
    }
    const content = value.get('content')
    if (content.get('parts').isArray) return { messages: [fromContent(content, read)], tools: [] }
    return undefined
  },
  message: (value, read) =>
    value.get('parts').isArray && !value.get('role').exists && !value.get('kind').exists
      ? { messages: [fromContent(value, read, 'user')], tools: [] }
      : undefined,
  part: (value) => {
    if (!value.isObject || value.get('type').exists) return undefined
    const call = value.first('functionCall', 'function_call')
    if (call.isObject) {
      const read = toolCall(call)
      return read && [read]
    }
    const response = value.first('functionResponse', 'function_response')
    if (response.isObject) return [fromResponse(response)]
    const data = value.first('inlineData', 'inline_data')
    if (data.isObject)
      return mediaPart(data.get('data').string, { type: typeOf(data), name: nameOf(data) })
    const file = value.first('fileData', 'file_data')
    if (file.isObject) {
      const uri = file.first('fileUri', 'file_uri').string
      return mediaPart(uri, { type: typeOf(file), name: nameOf(file) })
    }
    const code = value.first('executableCode', 'executable_code')
    if (code.isObject) {
      const language = code.get('language').string?.toLowerCase() ?? ''
      return textParts(fenced(code.get('code').string ?? '', language))
    }
    const result = value.first('codeExecutionResult', 'code_execution_result')
    if (result.isObject) return textParts(fenced(result.get('output').string ?? '', ''))
    const text = value.get('text').string
    if (text === undefined) return undefined
    return value.get('thought').isTrue ? thinking(text) : textParts(text)
  },
}

function typeOf(data: Json): string | undefined {
  return data.first('mimeType', 'mime_type').string
}

function nameOf(data: Json): string | undefined {
  return data.first('displayName', 'display_name').string
}

function fenced(code: string, language: string): string {
  return '```' + language + '\n' + code + '\n```'
}

function fromResponse(response: Json): Part {
  const given = response.get('response')
  // A result that is not an object is wrapped in one.
  const only = given.members().length === 1 ? given.first('result', 'output', 'error') : given
  const isError = given.get('error').exists
  const content = resultParts(only.exists ? only : given)
  return toolResult(response.get('id'), response.get('name'), content, isError)
}

function fromContent(content: Json, read: Reader, role = 'assistant'): Message {
  const word = content.get('role').string
  const parts = read.parts(content.get('parts'))
  if (parts.length > 0 && parts.every((part) => part.kind === 'toolResult'))
    return { role: 'tool', parts }
  return { role: word === undefined ? role : word === 'model' ? 'assistant' : word, parts }
}

function fromRequest(value: Json, contents: Json, read: Reader): Conversation {
  const config = value.first('config', 'generationConfig', 'generation_config')
  const own = value.first('systemInstruction', 'system_instruction')
  const system = own.exists ? own : config.first('systemInstruction', 'system_instruction')
  const list = contents.isArray ? contents.elements() : [contents]
  const messages = list.map((each): Message => {
    if (each.isString) return { role: 'user', parts: textParts(each.string) }
    if (each.get('parts').isArray) return fromContent(each, read, 'user')
    const parts = read.parts(each)
    return { role: 'user', parts: parts.length > 0 ? parts : [other(each)] }
  })
  if (system.exists) {
    const parts = read.parts(system.get('parts').isArray ? system.get('parts') : system)
    messages.unshift({ role: 'system', parts })
  }
  return {
    messages,
    tools: [...read.tools(value.get('tools')), ...read.tools(config.get('tools'))],
  }
}

/** The chunks of a stream, each a response of its own. */
function fromStream(list: Json, read: Reader): Conversation | undefined {
  const all = list.elements()
  if (all.length === 0 || !all.every((each) => each.get('candidates').isArray)) return undefined
  const parts: Part[] = []
  for (const each of all)
    for (const part of read.parts(
      each.get('candidates').elements()[0]?.get('content').get('parts') ?? each.get('none'),
    )) {
      const last = parts.at(-1)
      if (last && (part.kind === 'text' || part.kind === 'thinking') && last.kind === part.kind)
        parts[parts.length - 1] = { ...last, text: last.text + part.text }
      else parts.push(part)
    }
  return { messages: [{ role: 'assistant', parts }], tools: [] }
}
