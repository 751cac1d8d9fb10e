import { Json } from '../json/model/json'
import { storedSource, kindOfType } from './media'
import type { Part, ToolCallPart, ToolResultPart } from './types'

/** A text as parts: references to files on this server become files. An empty text has no parts. */
export function textParts(text: string | undefined): Part[] {
  if (text === undefined || text === '') return []
  if (!text.includes('@@@langfuseMedia:')) return [{ kind: 'text', text }]
  const parts: Part[] = []
  for (const piece of text.split(/(@@@langfuseMedia:[^@]+@@@)/)) {
    const source = storedSource(piece)
    if (source?.kind === 'stored')
      parts.push({ kind: kindOfType(source.type) ?? 'file', source, type: source.type })
    else if (piece.trim() !== '') parts.push({ kind: 'text', text: piece })
  }
  return parts
}

export function thinking(text: string | undefined): Part[] {
  return text === undefined || text === '' ? [] : [{ kind: 'thinking', text }]
}

export const hiddenThinking: Part[] = [{ kind: 'thinking', text: '', isHidden: true }]

export function other(value: Json): Part {
  return { kind: 'other', json: value.raw }
}

/** A tool call in any of the known shapes, or undefined if it has no name. */
export function toolCall(value: Json): ToolCallPart | undefined {
  const wrapped = value.get('tool_call') // OpenInference
  const call = wrapped.isObject ? wrapped : value
  const inner = call.first('function', 'custom')
  const from = inner.isObject ? inner : call
  const name = from.first('name', 'toolName', 'tool_name').string
  if (name === undefined || name === '') return undefined
  const given = from.first('arguments', 'args', 'input', 'parameters', 'tool_kwargs')
  const id = call.first('call_id', 'id', 'toolCallId', 'tool_call_id', 'toolUseId').string
  return {
    kind: 'toolCall',
    ...(id !== undefined && id !== '' && { id }),
    name,
    arguments: given.exists ? given.asText : '{}',
  }
}

/** The calls listed in a message; the list may be encoded as a string. Anything that is not a call is kept as it is. */
export function toolCalls(list: Json): Part[] {
  return list.unwrapped.elements().map((each) => toolCall(each) ?? other(each))
}

export function toolResult(
  id: Json,
  name: Json,
  content: Part[],
  isError: boolean,
): ToolResultPart {
  return {
    kind: 'toolResult',
    ...(id.string !== undefined && { callId: id.string }),
    ...(name.string !== undefined && { name: name.string }),
    content,
    ...(isError && { isError }),
  }
}

/** The result of a tool: text as it is, anything structured as JSON. */
export function resultParts(value: Json): Part[] {
  if (!value.exists) return []
  return value.isString ? textParts(value.string) : [other(value)]
}
