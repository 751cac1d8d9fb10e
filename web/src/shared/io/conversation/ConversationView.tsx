import { useMemo, useState } from 'react'
import { countOf } from '@/shared/lib/format'
import { Button } from '@/shared/ui'
import { calledTools, pairCalls } from '../messages/pairs'
import type { Conversation, Message } from '../messages/types'
import { asciiLower, useFoundText } from '../found'
import { IncompleteContext } from './incomplete'
import { MessageView } from './MessageView'
import { ToolList } from './ToolList'

/** How many messages are shown initially: the newest, and the instructions that they follow. */
const shownAtFirst = 50

type ConversationViewProps = {
  conversation: Conversation
  /** The last message may be incomplete. */
  isCut?: boolean
}

/** A conversation in order: who speaks, what they say, tool calls with their results. */
export function ConversationView({ conversation, isCut = false }: ConversationViewProps) {
  const { messages, tools } = conversation
  const [isOpened, setWhole] = useState(false)
  const found = asciiLower(useFoundText())
  const pairs = useMemo(() => pairCalls(messages), [messages])
  const called = useMemo(() => calledTools(messages), [messages])
  // Results shown with their call are not repeated.
  const shown = messages.filter(
    ({ parts }) =>
      parts.length === 0 ||
      parts.some((part) => part.kind !== 'toolResult' || !pairs.paired.has(part)),
  )
  const instructions = isInstruction(shown[0]) ? 1 : 0
  const middle = shown.slice(instructions, Math.max(instructions, shown.length - shownAtFirst))
  // What is searched for is not hidden.
  const isWhole =
    isOpened ||
    (found !== '' && middle.some(({ parts }) => asciiLower(JSON.stringify(parts)).includes(found)))
  const hidden = isWhole ? 0 : middle.length
  const view = (message: Message, at: number) => (
    // Messages have no identity other than their index.
    <IncompleteContext key={at} value={isCut && message === messages.at(-1)}>
      <MessageView message={message} pairs={pairs} />
    </IncompleteContext>
  )
  return (
    <div className="flex min-w-0 flex-col">
      {tools.length > 0 && <ToolList tools={tools} called={called} />}
      <ol aria-label="Messages" className="flex min-w-0 flex-col divide-y divide-border">
        {hidden === 0 ? (
          shown.map(view)
        ) : (
          <>
            {shown.slice(0, instructions).map(view)}
            <li className="p-3">
              <Button size="sm" onPress={() => setWhole(true)}>
                Show {countOf(hidden, 'earlier message')}
              </Button>
            </li>
            {shown
              .slice(instructions + hidden)
              .map((each, at) => view(each, instructions + hidden + at))}
          </>
        )}
      </ol>
    </div>
  )
}

function isInstruction(message: Message | undefined): boolean {
  return message?.role === 'system' || message?.role === 'developer'
}
