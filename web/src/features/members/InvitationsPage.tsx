import { Trash2, UserPlus } from 'lucide-react'
import { useState } from 'react'
import { LoadError } from '@/shared/errors'
import { ConfirmChange } from '@/shared/forms'
import { Forbidden, roleLabel } from '@/shared/roles'
import { useOrganization } from '@/shared/currentUser'
import { tableHeight } from '@/shared/settings'
import { actionsColumn, DataTable, sortRows, useTableState, type Column } from '@/shared/table'
import { Button, EmptyState, IconButton, PageHeader, Time, toast } from '@/shared/ui'
import { useInvitations, useRevokeInvitation, type Invitation } from './api/useInvitations'
import { InviteDialog } from './components/InviteDialog'

/** Invitations that nobody has accepted yet. */
export function InvitationsPage() {
  const { organization, can } = useOrganization()
  const [isOpen, setOpen] = useState(false)
  const mayInvite = can('members:write')
  const button = (
    <Button variant="primary" icon={<UserPlus aria-hidden />} onPress={() => setOpen(true)}>
      Invite
    </Button>
  )
  return (
    <>
      <PageHeader
        title="Invitations"
        description="Open invitations to the organization. Each has a link that works once."
        actions={mayInvite && button}
      />
      {mayInvite ? (
        <InvitationTable onInvite={() => setOpen(true)} />
      ) : (
        <Forbidden
          doing="see invitations and invite"
          permission="members:write"
          level="organization"
          role={organization.role}
        />
      )}
      <InviteDialog isOpen={isOpen} onClose={() => setOpen(false)} />
    </>
  )
}

function InvitationTable({ onInvite }: { onInvite: () => void }) {
  const { organization } = useOrganization()
  const invitations = useInvitations(organization.id)
  const revoke = useRevokeInvitation(organization.id)
  const [state, setState] = useTableState()
  const [revoked, setRevoked] = useState<Invitation>()
  const projectName = (id: string | null) =>
    organization.projects.find((project) => project.id === id)?.name ?? id
  const columns: Column<Invitation>[] = [
    {
      id: 'email',
      header: 'Email',
      width: 200,
      grows: true,
      required: true,
      sortable: true,
      cell: (invitation) => invitation.email,
    },
    { id: 'role', header: 'Role', width: 100, cell: (invitation) => roleLabel(invitation.role) },
    {
      id: 'project',
      header: 'In a project',
      width: 180,
      cell: (invitation) =>
        invitation.projectRole === null
          ? null
          : `${roleLabel(invitation.projectRole)} in ${projectName(invitation.projectId)}`,
    },
    {
      id: 'by',
      header: 'Invited by',
      width: 150,
      sortable: true,
      cell: (invitation) => invitation.invitedBy,
    },
    {
      id: 'expires',
      header: 'Expires',
      width: 100,
      sortable: true,
      cell: (invitation) => <Time at={invitation.expiresAt} />,
    },
    actionsColumn((invitation) => (
      <IconButton
        size="sm"
        label={`Revoke the invitation of ${invitation.email}`}
        icon={<Trash2 aria-hidden />}
        onPress={() => setRevoked(invitation)}
      />
    )),
  ]
  const rows =
    invitations.data &&
    sortRows(invitations.data, state, {
      email: (invitation) => invitation.email,
      by: (invitation) => invitation.invitedBy,
      expires: (invitation) => invitation.expiresAt,
    })
  return (
    <>
      <DataTable
        label="Invitations"
        columns={columns}
        rows={rows}
        rowId={(invitation) => invitation.id}
        state={state}
        onStateChange={setState}
        maxHeight={tableHeight}
        error={
          invitations.isError && (
            <LoadError title="Couldn’t load the invitations" query={invitations} />
          )
        }
        empty={
          <EmptyState
            icon={<UserPlus aria-hidden />}
            title="No open invitations"
            action={<Button onPress={onInvite}>Invite someone</Button>}
          >
            An invitation is a link to join {organization.name}.
          </EmptyState>
        }
      />
      <ConfirmChange
        title="Revoke this invitation?"
        action="Revoke"
        change={revoke}
        variables={revoked?.id}
        onClose={() => setRevoked(undefined)}
        onDone={() => toast('Invitation revoked')}
      >
        The link sent to {revoked?.email} will stop working.
      </ConfirmChange>
    </>
  )
}
