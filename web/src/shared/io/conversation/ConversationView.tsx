import { useMemo, useState } from 'react'
import { Button } from '@/shared/ui'
import { calledTools, pairCalls } from '../messages/pairs'
import type { Conversation, Message } from '../messages/types'
import { MessageView } from './MessageView'
import { ToolList } from './ToolList'

/** How many messages are shown initially from either end of a conversation. */
const atTheStart = 10
const atTheEnd = 40

/** A conversation in order: who speaks, what they say, tool calls with their results. */
export function ConversationView({ conversation }: { conversation: Conversation }) {
  const { messages, tools } = conversation
  const [isWhole, setWhole] = useState(false)
  const pairs = useMemo(() => pairCalls(messages), [messages])
  const called = useMemo(() => calledTools(messages), [messages])
  // Results shown with their call are not repeated.
  const shown = messages.filter(
    ({ parts }) =>
      parts.length === 0 ||
      parts.some((part) => part.kind !== 'toolResult' || !pairs.paired.has(part)),
  )
  const hidden = isWhole ? 0 : Math.max(0, shown.length - atTheStart - atTheEnd)
  const view = (message: Message, at: number) => (
    // Messages have no identity other than their index.
    <MessageView key={at} message={message} pairs={pairs} />
  )
  return (
    <div className="flex min-w-0 flex-col">
      {tools.length > 0 && <ToolList tools={tools} called={called} />}
      <ol aria-label="Messages" className="flex min-w-0 flex-col divide-y divide-border">
        {hidden === 0 ? (
          shown.map(view)
        ) : (
          <>
            {shown.slice(0, atTheStart).map(view)}
            <li className="p-3">
              <Button size="sm" onPress={() => setWhole(true)}>
                Show {hidden} more messages
              </Button>
            </li>
            {shown
              .slice(atTheStart + hidden)
              .map((each, at) => view(each, atTheStart + hidden + at))}
          </>
        )}
      </ol>
    </div>
  )
}
