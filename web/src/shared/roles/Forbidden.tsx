import { Lock } from 'lucide-react'
import { useAccess } from '@/shared/currentUser'
import { EmptyState } from '@/shared/ui'
import { roleLabel, roleNeeded } from './model/roles'

type ForbiddenProps = {
  /** What cannot be done, as in "see the API keys". */
  doing: string
  permission: string
}

/** Replaces a page that the user's role does not allow: says so, and which role does. */
export function Forbidden({ doing, permission }: ForbiddenProps) {
  const { level, role } = useAccess()
  return (
    <EmptyState icon={<Lock aria-hidden />} title="Your role does not allow this">
      To {doing} you need the role {roleLabel(roleNeeded(permission, level))} or above in this{' '}
      {level}; yours is {roleLabel(role)}. An owner can change it.
    </EmptyState>
  )
}
