import { useNavigate } from '@tanstack/react-router'
import { KeyRound, UserMinus, UserPlus } from 'lucide-react'
import { useState } from 'react'
import { QueryTable, toastFailure } from '@/shared/errors'
import { ConfirmChange } from '@/shared/forms'
import { GuardedPage, mayChange, NeedsRole, roleLabel } from '@/shared/roles'
import { useOrganization } from '@/shared/currentUser'
import { actionsColumn } from '@/shared/table'
import { Button, EmptyState, toast, RowActions } from '@/shared/ui'
import { useMembers, useRemoveMember, useSetMember, type Member } from './api/useMembers'
import { memberEmailColumn, memberNameColumn } from './components/memberColumns'
import { ResetLinkDialog } from './components/ResetLinkDialog'
import { RoleSelect } from './components/RoleSelect'

/** The members of the organization and their roles. */
export function MembersPage() {
  const { organization } = useOrganization()
  const navigate = useNavigate()
  return (
    <GuardedPage
      frame="settings"
      title="Members"
      description="An organization role applies to all its projects unless a project overrides it."
      permission="members:read"
      doing="see the members"
      actions={
        <NeedsRole doing="change roles or invite" permission="members:write">
          <Button
            variant="primary"
            icon={<UserPlus aria-hidden />}
            onPress={() =>
              void navigate({
                to: '/organization/$organizationId/settings/invitations',
                params: { organizationId: organization.id },
              })
            }
          >
            Invite
          </Button>
        </NeedsRole>
      }
    >
      <MemberTable />
    </GuardedPage>
  )
}

function MemberTable() {
  const { organization, can } = useOrganization()
  const members = useMembers(organization.id)
  const setMember = useSetMember(organization.id)
  const remove = useRemoveMember(organization.id)
  const [removed, setRemoved] = useState<Member>()
  const [reset, setReset] = useState<Member>()
  const mayWrite = (member: Member) =>
    can('members:write') && mayChange(organization.role, member.role)
  return (
    <>
      <QueryTable<Member>
        label="Members"
        what="the members"
        query={members}
        rows={members.data}
        rowId={(member) => member.userId}
        columns={[
          memberNameColumn(180),
          memberEmailColumn(220),
          {
            id: 'role',
            header: 'Role',
            width: 170,
            sortable: true,
            value: (member) => member.role,
            cell: (member) =>
              mayWrite(member) ? (
                <RoleSelect
                  label={`${member.name || member.email}’s role`}
                  hideLabel
                  own={organization.role}
                  value={member.role}
                  onChange={(role) =>
                    setMember.mutate(
                      { userId: member.userId, role },
                      {
                        onSuccess: () =>
                          toast(`${member.name || member.email} is now ${roleLabel(role)}`),
                        onError: toastFailure('The role was not changed'),
                      },
                    )
                  }
                />
              ) : (
                roleLabel(member.role)
              ),
          },
          can('members:write') &&
            actionsColumn(
              (member) =>
                mayWrite(member) && (
                  <RowActions
                    label={`Actions for ${member.name || member.email}`}
                    actions={[
                      {
                        id: 'reset',
                        label: 'Create password reset link',
                        icon: <KeyRound aria-hidden />,
                        onAction: () => setReset(member),
                      },
                      {
                        id: 'remove',
                        label: 'Remove',
                        icon: <UserMinus aria-hidden />,
                        isDanger: true,
                        startsGroup: true,
                        onAction: () => setRemoved(member),
                      },
                    ]}
                  />
                ),
            ),
        ]}
        empty={<EmptyState title="No members">Invite someone.</EmptyState>}
      />
      <ResetLinkDialog
        organizationId={organization.id}
        member={reset}
        onClose={() => setReset(undefined)}
      />
      <ConfirmChange
        title={`Remove ${removed?.name || removed?.email || ''}?`}
        action="Remove member"
        change={remove}
        variables={removed?.userId}
        onClose={() => setRemoved(undefined)}
        onDone={() => toast('Member removed')}
      >
        They lose access to {organization.name} and all its projects immediately. Everything they
        created is kept.
      </ConfirmChange>
    </>
  )
}
