import { Bot, CircleHelp, SlidersHorizontal, User, Wrench } from 'lucide-react'
import { cx } from '@/shared/lib/cx'
import { withoutPaired, type Pairs } from '../messages/pairs'
import type { Message } from '../messages/types'
import { PartView } from './PartView'

const looks: Record<string, { label: string; icon: typeof Bot; className: string }> = {
  system: { label: 'System', icon: SlidersHorizontal, className: 'text-text-3' },
  developer: { label: 'Developer', icon: SlidersHorizontal, className: 'text-text-3' },
  user: { label: 'User', icon: User, className: 'text-accent' },
  assistant: { label: 'Assistant', icon: Bot, className: 'text-type-generation' },
  tool: { label: 'Tool', icon: Wrench, className: 'text-type-tool' },
}

/** One message: who speaks, and what they say. */
export function MessageView({ message, pairs }: { message: Message; pairs: Pairs }) {
  const look = looks[message.role] ?? {
    label: message.role === '' ? 'Unknown role' : message.role,
    icon: CircleHelp,
    className: 'text-text-3',
  }
  const Icon = look.icon
  const parts = withoutPaired(message.parts, pairs)
  return (
    <li className="flex min-w-0 flex-col gap-1.5 px-3 py-2.5">
      <div className={cx('flex min-w-0 items-center gap-1.5 text-sm font-medium', look.className)}>
        <Icon aria-hidden className="size-3.5 shrink-0" />
        <span className="truncate">{look.label}</span>
        {message.name !== undefined && message.name !== '' && (
          <span className="truncate font-normal text-text-3">{message.name}</span>
        )}
      </div>
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
