/** A message of a chat prompt, or the place where messages are inserted when the prompt is used. */
export type PromptMessage =
  { role: string; content: string } | { type: 'placeholder'; name: string }

/** What a version consists of. The config is JSON text, so that its numbers keep their digits. */
export type PromptBody =
  | { type: 'text'; prompt: string; config: string }
  | { type: 'chat'; prompt: readonly PromptMessage[]; config: string }

/** A text of a prompt with its heading: a message, a placeholder, or the text of a text prompt. */
export type PromptPart = { kind: 'text' | 'message' | 'placeholder'; role: string; text: string }

/** The texts of a prompt in order. */
export function partsOf(body: PromptBody): PromptPart[] {
  if (body.type === 'text') return [{ kind: 'text', role: '', text: body.prompt }]
  return body.prompt.map((message) =>
    'type' in message
      ? { kind: 'placeholder', role: '', text: message.name }
      : { kind: 'message', role: message.role, text: message.content },
  )
}

/** Whether a config says nothing. */
export function isEmptyConfig(config: string): boolean {
  return /^\s*(?:\{\s*\})?\s*$/.test(config)
}
