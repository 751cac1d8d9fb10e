import { useUser } from '@/shared/currentUser'
import { Badge } from '@/shared/ui'

type MemberNameProps = {
  member: { userId: string; name: string; email: string; disabled: boolean; pending: boolean }
}

/** A member's name, marked if it is the user's own, if the account is disabled, or if its owner has not agreed yet. */
export function MemberName({ member }: MemberNameProps) {
  const user = useUser()
  return (
    <span className="flex items-center gap-2">
      <span className="truncate">{member.name || member.email || member.userId}</span>
      {member.userId === user.id && <Badge tone="accent">You</Badge>}
      {member.disabled && <Badge tone="warning">Disabled</Badge>}
      {member.pending && <Badge>Pending</Badge>}
    </span>
  )
}
