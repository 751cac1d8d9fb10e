import { Lock } from 'lucide-react'
import { roleLabel, roleNeeded, type Level } from './model/roles'

/** Replaces a button that the user's role does not allow. */
export function NeedsRole({
  doing,
  permission,
  level,
}: {
  doing: string
  permission: string
  level: Level
}) {
  return (
    <p className="flex items-center gap-1.5 text-sm text-text-3">
      <Lock aria-hidden className="size-3.5 shrink-0" />
      To {doing} you need the role {roleLabel(roleNeeded(permission, level))}.
    </p>
  )
}
