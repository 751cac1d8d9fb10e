import { SubmitForm, useForm } from '@/shared/forms'
import type { Role } from '@/shared/roles'
import { useOrganization } from '@/shared/currentUser'
import {
  Button,
  Callout,
  Dialog,
  DialogActions,
  Secret,
  Select,
  TextField,
  Time,
} from '@/shared/ui'
import { useInvite } from '../api/useInvitations'
import { invitationRequest, inviteProblems, noProject, type InviteValues } from '../model/invite'
import { RoleSelect } from './RoleSelect'

const initial: InviteValues = {
  email: '',
  role: 'MEMBER',
  projectId: noProject,
  projectRole: 'MEMBER',
}

function dialogTitle(organization: string, made: { mailed: boolean } | undefined) {
  if (made === undefined) return `Invite to ${organization}`
  return made.mailed ? 'Invitation sent' : 'Share the link'
}

/** Invites somebody and shows the link once. */
export function InviteDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const { organization } = useOrganization()
  const invite = useInvite(organization.id)
  const close = () => {
    onClose()
    invite.reset()
  }
  return (
    <Dialog
      title={dialogTitle(organization.name, invite.data)}
      isOpen={isOpen}
      onClose={close}
      isDismissable={!invite.data && !invite.isPending}
    >
      {invite.data ? (
        <div className="flex flex-col gap-3">
          {invite.data.mailed && (
            <Callout tone="success">
              An email to {invite.data.invitation.email} is on its way.
            </Callout>
          )}
          <Secret label="Link" value={invite.data.link} />
          <p className="text-text-2">
            {invite.data.mailed ? 'The same link is in the email.' : 'Send it to them yourself.'} It
            works once, expires <Time at={invite.data.invitation.expiresAt} words />, and is not
            shown again. Earlier links for this address no longer work.
          </p>
          <DialogActions>
            <Button variant="primary" onPress={close}>
              Done
            </Button>
          </DialogActions>
        </div>
      ) : (
        <InviteForm invite={invite} onClose={close} />
      )}
    </Dialog>
  )
}

function InviteForm({
  invite,
  onClose,
}: {
  invite: ReturnType<typeof useInvite>
  onClose: () => void
}) {
  const { organization } = useOrganization()
  const form = useForm({ initial, check: inviteProblems, error: invite.error })
  const projects = [
    { id: noProject, label: 'No specific project' },
    ...organization.projects.map((project) => ({ id: project.id, label: project.name })),
  ]
  const chooseRole = (name: 'role' | 'projectRole') => (role: Role) =>
    form.change({ [name]: role } as Partial<InviteValues>)
  return (
    <SubmitForm
      action="Create invitation"
      isPending={invite.isPending}
      error={form.error}
      onSubmit={() => form.submit((values) => invite.mutate(invitationRequest(values)))}
      onClose={onClose}
    >
      <TextField
        {...form.field('email')}
        label="Email"
        type="email"
        autoFocus
        autoComplete="off"
        maxLength={320}
      />
      <RoleSelect
        label="Role in the organization"
        own={organization.role}
        value={form.values.role}
        onChange={chooseRole('role')}
      />
      {organization.projects.length > 0 && (
        <Select
          {...form.field('projectId')}
          label="Another role in one project"
          options={projects}
        />
      )}
      {form.values.projectId !== noProject && (
        <RoleSelect
          label="Role in the project"
          own={organization.role}
          value={form.values.projectRole}
          onChange={chooseRole('projectRole')}
        />
      )}
    </SubmitForm>
  )
}
