import { Bot, CircleHelp, SlidersHorizontal, User, Wrench } from 'lucide-react'
import { cx } from '@/shared/lib/cx'

const looks: Record<string, { label: string; icon: typeof Bot; className: string }> = {
  system: { label: 'System', icon: SlidersHorizontal, className: 'text-text-3' },
  developer: { label: 'Developer', icon: SlidersHorizontal, className: 'text-text-3' },
  user: { label: 'User', icon: User, className: 'text-accent' },
  assistant: { label: 'Assistant', icon: Bot, className: 'text-type-generation' },
  tool: { label: 'Tool', icon: Wrench, className: 'text-type-tool' },
}

/** Who speaks: a role that is known by its icon and colour, any other as it is written. */
export function RoleHeading({ role, name }: { role: string; name?: string }) {
  const known = Object.hasOwn(looks, role) ? looks[role] : undefined
  const look = known ?? {
    label: role === '' ? 'Unknown role' : role,
    icon: CircleHelp,
    className: 'text-text-3',
  }
  const Icon = look.icon
  return (
    <div className={cx('flex min-w-0 items-center gap-1.5 text-sm font-medium', look.className)}>
      <Icon aria-hidden className="size-3.5 shrink-0" />
      <span className="truncate">{look.label}</span>
      {name !== undefined && name !== '' && (
        <span className="truncate font-normal text-text-3">{name}</span>
      )}
    </div>
  )
}
