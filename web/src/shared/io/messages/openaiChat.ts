import type { Json } from '../json/model/json'
import type { Format, Reader } from './format'
import { mediaPart, typeOfWord } from './media'
import { textParts, thinking, toolCall, toolCalls, toolResult } from './parts'
import { roleOf } from './roles'
import { toolDefinition } from './tools'
import type { Conversation, Message, Part } from './types'

/**
 * OpenAI chat completions: requests, responses, choices, the chunks of a stream. Its message, a role with content and
 * calls, is the basis of most other formats.
 */
export const openaiChat: Format = {
  value: (value, read) => {
    const choices = value.get('choices')
    if (choices.isArray) return fromChoices(choices.elements(), read)
    if (value.isArray) return fromList(value, read)
    const messages = value.get('messages')
    if (!messages.isArray || value.get('contents').isArray) return undefined
    const { messages: list, tools } = read.messages(messages)
    return {
      messages: [...systemOf(value, read), ...list],
      tools: [...read.tools(value.first('tools', 'functions')), ...tools],
    }
  },
  message: (value, read) => {
    const call = value.get('function_call')
    const role = value.get('role').string ?? (call.get('name').isString ? 'assistant' : undefined)
    if (role === undefined || !saying.some((name) => value.get(name).kind !== 'missing'))
      return undefined
    const definition = value.get('content').get('function')
    if (role === 'tool' && definition.isObject) {
      // LangChain's handler records the tools offered to a model as messages.
      const tool = toolDefinition(value.get('content'))
      if (tool) return { messages: [], tools: [tool] }
    }
    return { messages: [message(role, value, read)], tools: [] }
  },
  part: (value) => {
    switch (value.get('type').string) {
      case 'text':
        return value.get('text').isString ? textParts(value.get('text').string) : undefined
      case 'refusal':
        return textParts(value.get('refusal').string)
      case 'image_url': {
        const image = value.get('image_url')
        return mediaPart(image.string ?? image.get('url').string, { kind: 'image' })
      }
      case 'input_audio': {
        const audio = value.get('input_audio')
        const type = typeOfWord('audio', audio.get('format').string)
        return mediaPart(audio.get('data').string, { kind: 'audio', type })
      }
      case 'video_url': {
        const video = value.get('video_url')
        return mediaPart(video.string ?? video.get('url').string, { kind: 'video' })
      }
      case 'file': {
        const file = value.get('file')
        const data = file.get('file_data').string
        return mediaPart(data, {
          kind: 'file',
          type: data?.startsWith('data:') ? undefined : 'application/pdf',
          name: file.get('filename').string,
        })
      }
      default:
        return undefined
    }
  },
}

/** The members of which a message has at least one; other objects have roles as well. */
const saying = [
  'content',
  'contents',
  'tool_calls',
  'toolCalls',
  'function_call',
  'refusal',
  'audio',
]

function systemOf(value: Json, read: Reader): Message[] {
  const system = value.get('system') // Anthropic and the AI SDK keep it outside the messages
  return system.exists ? [{ role: 'system', parts: read.parts(system) }] : []
}

function message(role: string, value: Json, read: Reader): Message {
  const name = value.get('name').string
  const named = name === undefined ? {} : { name }
  const content = read.parts(value.get('content'))
  const callId = value.first('tool_call_id', 'toolCallId')
  if (roleOf(role) === 'tool' && !content.some((part) => part.kind === 'toolResult')) {
    const isError = value.get('status').string === 'error' || value.get('is_error').isTrue
    return {
      role: 'tool',
      ...named,
      parts: [toolResult(callId, value.get('name'), content, isError)],
    }
  }
  const isResult = content.length > 0 && content.every((part) => part.kind === 'toolResult')
  return {
    role: isResult ? 'tool' : roleOf(role),
    ...named,
    parts: [...reasoningOf(value), ...content, ...extrasOf(value)],
  }
}

/** The reasoning of a model, under the names used by OpenAI-compatible providers. */
function reasoningOf(value: Json): Part[] {
  const additional = value.get('additional_kwargs')
  const plain = value.first('reasoning_content', 'reasoning', 'thinking')
  return thinking(plain.string ?? additional.get('reasoning_content').string)
}

/** What a message has besides its content: refusals, audio, images, calls. */
function extrasOf(value: Json): Part[] {
  const parts = textParts(value.get('refusal').string)
  const audio = value.get('audio')
  const sound = mediaPart(audio.get('data').string, { kind: 'audio', type: 'audio/wav' })
  if (sound) parts.push(...sound)
  parts.push(...textParts(audio.get('transcript').string))
  for (const image of value.get('images').elements())
    parts.push(...(mediaPart(image.get('image_url').get('url').string, { kind: 'image' }) ?? []))
  const additional = value.get('additional_kwargs')
  const calls = [
    ...toolCalls(value.first('tool_calls', 'toolCalls')),
    ...toolCalls(value.get('invalid_tool_calls')),
  ]
  if (calls.length === 0) calls.push(...toolCalls(additional.get('tool_calls')))
  if (calls.length === 0) {
    const call = toolCall(value.get('function_call')) ?? toolCall(additional.get('function_call'))
    if (call) calls.push(call)
  }
  return [...parts, ...calls]
}

function fromChoices(choices: readonly Json[], read: Reader): Conversation | undefined {
  const messages: Message[] = []
  for (const choice of choices) {
    const said = choice.first('message', 'delta').unwrapped
    if (said.isObject) messages.push(message(said.get('role').string ?? 'assistant', said, read))
    else if (choice.get('text').isString)
      messages.push({ role: 'assistant', parts: textParts(choice.get('text').string) })
    else return undefined
  }
  return messages.length === 0 ? undefined : { messages, tools: [] }
}

/** A list of choices, or of the chunks of a stream. */
function fromList(list: Json, read: Reader): Conversation | undefined {
  const all = list.elements()
  if (all.length === 0) return undefined
  if (all.every((each) => each.get('message').isObject && each.get('finish_reason').exists))
    return fromChoices(all, read)
  if (!all.every((each) => each.get('choices').isArray)) return undefined
  return {
    messages: [joinDeltas(all.flatMap((each) => each.get('choices').elements()))],
    tools: [],
  }
}

/** Joins the chunks of a stream into one message: texts and arguments in order of arrival. */
function joinDeltas(choices: readonly Json[]): Message {
  let [text, thought] = ['', '']
  const calls = new Map<string, { id?: string; name: string; arguments: string }>()
  for (const choice of choices) {
    const delta = choice.first('delta', 'message')
    text += delta.get('content').string ?? choice.get('text').string ?? ''
    thought += delta.first('reasoning_content', 'reasoning').string ?? ''
    for (const piece of delta.get('tool_calls').elements()) {
      const at = piece.get('index').raw
      const call = calls.get(at) ?? { name: '', arguments: '' }
      call.id = piece.get('id').string ?? call.id
      call.name += piece.get('function').get('name').string ?? ''
      call.arguments += piece.get('function').get('arguments').string ?? ''
      calls.set(at, call)
    }
  }
  const parts: Part[] = [...thinking(thought), ...textParts(text)]
  for (const call of calls.values()) parts.push({ kind: 'toolCall', ...call })
  return { role: 'assistant', parts }
}
