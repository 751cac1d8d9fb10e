/** What was said to a model and by it, whatever the library that recorded it. */
export type Conversation = { messages: Message[]; tools: ToolDefinition[] }

export type Message = {
  /** system, developer, user, assistant or tool; or whatever else was recorded. */
  role: string
  name?: string
  parts: Part[]
}

export type Part = TextPart | ThinkingPart | ToolCallPart | ToolResultPart | MediaPart | OtherPart

export type TextPart = { kind: 'text'; text: string }

export type ThinkingPart = {
  kind: 'thinking'
  text: string
  /** The provider keeps what was thought to itself. */
  isHidden?: boolean
}

export type ToolCallPart = {
  kind: 'toolCall'
  id?: string
  name: string
  /** JSON as it was recorded, or some other text if it was no JSON. */
  arguments: string
}

export type ToolResultPart = {
  kind: 'toolResult'
  callId?: string
  name?: string
  content: Part[]
  isError?: boolean
}

export type MediaKind = 'image' | 'audio' | 'video' | 'file'

export type MediaPart = {
  kind: MediaKind
  source: MediaSource
  type?: string
  name?: string
}

export type MediaSource =
  /** A file that this server has. */
  | { kind: 'stored'; id: string; type: string }
  | { kind: 'data'; uri: string }
  | { kind: 'url'; url: string }

/** Something that no adapter knows: the JSON as it is stored. */
export type OtherPart = { kind: 'other'; json: string }

export type ToolDefinition = {
  name: string
  description?: string
  /** A JSON Schema, as it was recorded. */
  parameters?: string
}
