import {
  prettyText,
  type Conversation,
  type Message,
  type Part,
  type ToolDefinition,
} from '@/shared/io'
import { newId, type FilePart, type Item, type MessageItem, type Role, type Tool } from './state'

/** What a recorded conversation becomes, and what of it cannot be sent again. */
export type Taken = { items: Item[]; tools: Tool[]; lost: string[] }

/** A conversation, whatever library recorded it, as items. */
export function fromConversation({ messages, tools }: Conversation): Taken {
  const lost = new Set<string>()
  const items = messages.flatMap((message) => itemsOf(message, lost))
  return { items: withCallIds(items), tools: tools.map(toolOf), lost: [...lost] }
}

export function toolOf({ name, description = '', parameters = '' }: ToolDefinition): Tool {
  return { name, description, parameters: prettyText(parameters) ?? parameters, mock: '' }
}

const roles: Record<string, Role> = {
  system: 'system',
  developer: 'developer',
  user: 'user',
  human: 'user',
  assistant: 'assistant',
  model: 'assistant',
  ai: 'assistant',
}

function itemsOf(message: Message, lost: Set<string>): Item[] {
  const role = roles[message.role]
  const item: MessageItem = {
    id: newId(),
    kind: 'message',
    role: role ?? 'user',
    text: '',
    files: [],
    calls: [],
  }
  const results: Item[] = []
  const texts: string[] = []
  if (message.role === 'placeholder' && message.name !== undefined)
    return [{ id: newId(), kind: 'placeholder', name: message.name }]
  for (const part of message.parts) {
    switch (part.kind) {
      case 'text':
        texts.push(part.text)
        break
      case 'thinking':
        if (part.text !== '') lost.add('reasoning, which providers do not take back')
        break
      case 'toolCall':
        item.calls.push({ id: part.id ?? '', name: part.name, arguments: part.arguments || '{}' })
        break
      case 'toolResult':
        results.push({
          id: newId(),
          kind: 'result',
          callId: part.callId ?? '',
          text: textOf(part.content),
        })
        break
      case 'image':
      case 'audio':
      case 'file':
      case 'video': {
        const file = fileOf(part)
        if (file) item.files.push(file)
        else lost.add(part.kind === 'video' ? 'a video' : `a ${part.kind} that is not stored here`)
        break
      }
      case 'other':
        texts.push(part.json)
        break
    }
  }
  item.text = texts.join('\n\n')
  if (message.role === 'tool' && results.length === 0)
    return [{ id: newId(), kind: 'result', callId: '', text: item.text }]
  const isEmpty = item.text === '' && item.files.length === 0 && item.calls.length === 0
  return isEmpty && results.length > 0 ? results : [item, ...results]
}

function fileOf(part: Extract<Part, { source: unknown }>): FilePart | undefined {
  if (part.kind === 'video') return undefined
  const named = part.name === undefined ? {} : { name: part.name }
  switch (part.source.kind) {
    case 'stored':
      return { kind: part.kind, mediaId: part.source.id, type: part.source.type, ...named }
    case 'url':
      return /^https?:/i.test(part.source.url)
        ? { kind: part.kind, url: part.source.url, ...named }
        : undefined
    case 'data':
      return undefined
  }
}

function textOf(parts: readonly Part[]): string {
  return parts
    .map((part) => (part.kind === 'text' ? part.text : part.kind === 'other' ? part.json : ''))
    .filter((text) => text !== '')
    .join('\n\n')
}

/** Calls and results without ids get them, in order: providers match them by id. */
function withCallIds(items: Item[]): Item[] {
  let number = 0
  const open: string[] = []
  return items.map((item) => {
    if (item.kind === 'message') {
      const calls = item.calls.map((call) => {
        const id = call.id === '' ? `call_${++number}` : call.id
        open.push(id)
        return { ...call, id }
      })
      return { ...item, calls }
    }
    if (item.kind !== 'result') return item
    const at = item.callId === '' ? 0 : open.indexOf(item.callId)
    const [callId = item.callId] = at < 0 ? [] : open.splice(at, 1)
    return { ...item, callId }
  })
}
