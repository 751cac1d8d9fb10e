import { readConversationText, type Message } from '@/shared/io'

/** What a trace was asked, or what it answered. */
export type TurnMessages =
  | { kind: 'nothing' }
  /** The messages that are new in this turn, and how many messages of the conversation precede them. */
  | { kind: 'messages'; messages: Message[]; before: number }
  /** Something else: shown as a value. */
  | { kind: 'value' }

/**
 * Reads a text as part of a conversation. Inputs often repeat everything said before: only what follows the last answer
 * is new. A plain text is attributed to the side given by `by`.
 */
export function readTurnMessages(
  text: string | null,
  by: 'user' | 'assistant',
  isCut: boolean,
): TurnMessages {
  if (text === null || text === '') return { kind: 'nothing' }
  const conversation = readConversationText(text, isCut)
  if (conversation && conversation.messages.length > 0) {
    const { messages } = conversation
    const fresh = by === 'user' ? afterLastAnswer(messages) : messages
    return { kind: 'messages', messages: fresh, before: messages.length - fresh.length }
  }
  const plain = isCut ? undefined : plainText(text)
  return plain === undefined
    ? { kind: 'value' }
    : {
        kind: 'messages',
        messages: [{ role: by, parts: [{ kind: 'text', text: plain }] }],
        before: 0,
      }
}

/** Leaves out instructions, which are the same in every turn. An input that ends with an answer is returned whole. */
function afterLastAnswer(messages: Message[]): Message[] {
  const isInstruction = ({ role }: Message) => role === 'system' || role === 'developer'
  const last = messages.findLastIndex(({ role }) => role === 'assistant')
  const fresh = messages.slice(last + 1).filter((message) => !isInstruction(message))
  return fresh.length > 0 ? fresh : messages
}

/** A text that is not JSON, or the value of a JSON string. */
function plainText(text: string): string | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'string' ? value : undefined
  } catch {
    return text
  }
}
