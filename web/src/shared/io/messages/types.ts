/** The messages sent to a model and its answers, whatever library recorded them. */
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
  /** The provider does not disclose the reasoning. */
  isHidden?: boolean
}

export type ToolCallPart = {
  kind: 'toolCall'
  id?: string
  name: string
  /** JSON as recorded, or any other text if it was not JSON. */
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
  /** A file stored on this server. */
  | { kind: 'stored'; id: string; type: string }
  | { kind: 'data'; uri: string }
  | { kind: 'url'; url: string }

/** Something that no format recognizes: the JSON as stored. */
export type OtherPart = { kind: 'other'; json: string }

export type ToolDefinition = {
  name: string
  description?: string
  /** A JSON Schema, as it was recorded. */
  parameters?: string
}
