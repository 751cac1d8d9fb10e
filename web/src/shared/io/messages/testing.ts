import type { Conversation, MediaSource, Part } from './types'

/** A conversation as readable lines for tests: one per message, and one for the tools. */
export function asLines({ messages, tools }: Conversation): string[] {
  const lines = messages.map(({ role, parts }) => `${role || '?'}: ${parts.map(line).join(' | ')}`)
  if (tools.length > 0) lines.push(`tools: ${tools.map(({ name }) => name).join(', ')}`)
  return lines
}

function line(part: Part): string {
  switch (part.kind) {
    case 'text':
      return part.text
    case 'thinking':
      return part.isHidden ? '(hidden)' : `(${part.text})`
    case 'toolCall':
      return `${said(part.id)}${part.name}(${part.arguments})`
    case 'toolResult':
      return `${said(part.callId)}${said(part.name)}-> ${part.isError ? 'error ' : ''}${part.content.map(line).join(' + ')}`
    case 'other':
      return part.json
    case 'image':
    case 'audio':
    case 'video':
    case 'file':
      return `<${[part.kind, part.type, place(part.source), part.name].filter(Boolean).join(' ')}>`
  }
}

function said(word: string | undefined): string {
  return word === undefined ? '' : `${word} `
}

function place(source: MediaSource): string {
  switch (source.kind) {
    case 'stored':
      return source.id
    case 'data':
      return 'data'
    case 'url':
      return source.url
  }
}
