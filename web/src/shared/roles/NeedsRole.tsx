import { Lock } from 'lucide-react'
import type { ReactNode } from 'react'
import { useAccess } from '@/shared/currentUser'
import { roleLabel, roleNeeded } from './model/roles'

type NeedsRoleProps = {
  /** What can be done, as in "create keys". */
  doing: string
  permission: string
  children?: ReactNode
}

/** Shows a button to those whose role allows it; others are told which role they need. */
export function NeedsRole({ doing, permission, children }: NeedsRoleProps) {
  const { level, can } = useAccess()
  if (can(permission)) return children
  return (
    <p className="flex items-center gap-1.5 text-sm text-text-3">
      <Lock aria-hidden className="size-3.5 shrink-0" />
      To {doing} you need the role {roleLabel(roleNeeded(permission, level))}.
    </p>
  )
}
