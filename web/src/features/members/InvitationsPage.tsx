import { Trash2, UserPlus } from 'lucide-react'
import { useState } from 'react'
import { QueryTable } from '@/shared/errors'
import { ConfirmChange } from '@/shared/forms'
import { GuardedPage, roleLabel } from '@/shared/roles'
import { useOrganization } from '@/shared/currentUser'
import { actionsColumn, upcomingColumn } from '@/shared/table'
import { Button, EmptyState, IconButton, toast } from '@/shared/ui'
import { useInvitations, useRevokeInvitation, type Invitation } from './api/useInvitations'
import { InviteDialog } from './components/InviteDialog'

/** Invitations that nobody has accepted yet. */
export function InvitationsPage() {
  const [isOpen, setOpen] = useState(false)
  return (
    <GuardedPage
      frame="settings"
      title="Invitations"
      description="Open invitations to the organization. Each has a link that works once."
      permission="members:write"
      doing="see invitations and invite"
      actions={
        <Button variant="primary" icon={<UserPlus aria-hidden />} onPress={() => setOpen(true)}>
          Invite
        </Button>
      }
    >
      <InvitationTable onInvite={() => setOpen(true)} />
      <InviteDialog isOpen={isOpen} onClose={() => setOpen(false)} />
    </GuardedPage>
  )
}

function InvitationTable({ onInvite }: { onInvite: () => void }) {
  const { organization } = useOrganization()
  const invitations = useInvitations(organization.id)
  const revoke = useRevokeInvitation(organization.id)
  const [revoked, setRevoked] = useState<Invitation>()
  const projectName = (id: string | null) =>
    organization.projects.find((project) => project.id === id)?.name ?? id
  return (
    <>
      <QueryTable<Invitation>
        label="Invitations"
        what="the invitations"
        query={invitations}
        rows={invitations.data}
        rowId={(invitation) => invitation.id}
        columns={[
          {
            id: 'email',
            header: 'Email',
            width: 200,
            grows: true,
            required: true,
            sortable: true,
            cell: (invitation) => invitation.email,
          },
          {
            id: 'role',
            header: 'Role',
            width: 100,
            cell: (invitation) => roleLabel(invitation.role),
          },
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
          upcomingColumn('expires', 'Expires', (invitation) => invitation.expiresAt, {
            width: 100,
            sortable: true,
          }),
          actionsColumn((invitation) => (
            <IconButton
              size="sm"
              label={`Revoke the invitation of ${invitation.email}`}
              icon={<Trash2 aria-hidden />}
              onPress={() => setRevoked(invitation)}
            />
          )),
        ]}
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
