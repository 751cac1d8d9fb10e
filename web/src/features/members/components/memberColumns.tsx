import { useUser } from '@/shared/currentUser'
import type { Column } from '@/shared/table'
import { Badge } from '@/shared/ui'

type Member = { userId: string; name: string; email: string; disabled: boolean; pending: boolean }

export function memberNameColumn<M extends Member>(width: number): Column<M> {
  return {
    id: 'name',
    header: 'Name',
    width,
    grows: true,
    required: true,
    sortable: true,
    value: (member) => member.name || member.email,
    cell: (member) => <MemberName member={member} />,
  }
}

export function memberEmailColumn<M extends Member>(width: number): Column<M> {
  return { id: 'email', header: 'Email', width, sortable: true, cell: (member) => member.email }
}

/** A member's name, marked if it is the user's own, if the account is disabled, or if its owner has not agreed yet. */
function MemberName({ member }: { member: Member }) {
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
