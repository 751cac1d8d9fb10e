import { useNavigate } from '@tanstack/react-router'
import { KeyRound, UserMinus, UserPlus } from 'lucide-react'
import { useState } from 'react'
import { LoadError, toastFailure } from '@/shared/errors'
import { ConfirmChange } from '@/shared/forms'
import { Forbidden, mayChange, NeedsRole, roleLabel } from '@/shared/roles'
import { useOrganization } from '@/shared/currentUser'
import { tableHeight } from '@/shared/settings'
import { actionsColumn, DataTable, sortRows, useTableState, type Column } from '@/shared/table'
import { Button, EmptyState, PageHeader, toast, RowActions } from '@/shared/ui'
import { useMembers, useRemoveMember, useSetMember, type Member } from './api/useMembers'
import { MemberName } from './components/MemberName'
import { ResetLinkDialog } from './components/ResetLinkDialog'
import { RoleSelect } from './components/RoleSelect'

/** The members of the organization and their roles. */
export function MembersPage() {
  const { organization, can } = useOrganization()
  const navigate = useNavigate()
  return (
    <>
      <PageHeader
        title="Members"
        description="An organization role applies to all its projects unless a project overrides it."
        actions={
          can('members:write') ? (
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
          ) : (
            can('members:read') && (
              <NeedsRole
                doing="change roles or invite"
                permission="members:write"
                level="organization"
              />
            )
          )
        }
      />
      {can('members:read') ? (
        <MemberTable />
      ) : (
        <Forbidden
          doing="see the members"
          permission="members:read"
          level="organization"
          role={organization.role}
        />
      )}
    </>
  )
}

function MemberTable() {
  const { organization, can } = useOrganization()
  const members = useMembers(organization.id)
  const setMember = useSetMember(organization.id)
  const remove = useRemoveMember(organization.id)
  const [state, setState] = useTableState()
  const [removed, setRemoved] = useState<Member>()
  const [reset, setReset] = useState<Member>()
  const mayWrite = (member: Member) =>
    can('members:write') && mayChange(organization.role, member.role)
  const columns: Column<Member>[] = [
    {
      id: 'name',
      header: 'Name',
      width: 180,
      grows: true,
      sortable: true,
      required: true,
      cell: (member) => <MemberName member={member} />,
    },
    { id: 'email', header: 'Email', width: 220, sortable: true, cell: (member) => member.email },
    {
      id: 'role',
      header: 'Role',
      width: 170,
      sortable: true,
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
    ...(can('members:write')
      ? [
          actionsColumn<Member>(
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
        ]
      : []),
  ]
  const rows =
    members.data &&
    sortRows(members.data, state, {
      name: (member) => member.name || member.email,
      email: (member) => member.email,
      role: (member) => member.role,
    })
  return (
    <>
      <DataTable
        label="Members"
        columns={columns}
        rows={rows}
        rowId={(member) => member.userId}
        state={state}
        onStateChange={setState}
        maxHeight={tableHeight}
        error={members.isError && <LoadError title="Couldn’t load the members" query={members} />}
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
