import { withoutPaired, type Pairs } from '../messages/pairs'
import type { Message } from '../messages/types'
import { PartView } from './PartView'
import { RoleHeading } from './RoleHeading'

/** One message: who speaks, and what they say. */
export function MessageView({ message, pairs }: { message: Message; pairs: Pairs }) {
  const parts = withoutPaired(message.parts, pairs)
  return (
    <li className="flex min-w-0 flex-col gap-1.5 px-3 py-2.5">
      <RoleHeading role={message.role} name={message.name} />
      {parts.length === 0 ? (
        <p className="text-text-3">Nothing</p>
      ) : (
        parts.map((part, at) => (
          // Parts have no identity other than their index.
          // oxlint-disable-next-line react/no-array-index-key
          <PartView key={at} part={part} pairs={pairs} />
        ))
      )}
    </li>
  )
}
