import { messageOf } from '@/shared/api'
import { Button, Callout, Dialog, DialogActions, Secret, Time } from '@/shared/ui'
import { useResetLink, type Member } from '../api/useMembers'

type ResetLinkDialogProps = {
  organizationId: string
  member: Member | undefined
  onClose: () => void
}

/** Creates a password reset link for a member, which is mailed if the server can send mail, or handed over. */
export function ResetLinkDialog({ organizationId, member, onClose }: ResetLinkDialogProps) {
  const reset = useResetLink(organizationId)
  const close = () => {
    onClose()
    reset.reset()
  }
  const name = member?.name || member?.email || ''
  return (
    <Dialog
      title={`New password for ${name}`}
      isOpen={member !== undefined}
      onClose={close}
      isDismissable={!reset.data && !reset.isPending}
    >
      <div className="flex flex-col gap-3">
        {reset.data ? (
          <>
            {reset.data.mailed && (
              <Callout tone="success">An email to {member?.email} is on its way.</Callout>
            )}
            {reset.data.link ? (
              <>
                <Secret label="Link" value={reset.data.link} />
                <p className="text-text-2">
                  {reset.data.mailed ? 'The same link is in the email' : 'Share it yourself'}:
                  whoever opens it sets the password. It works once and expires{' '}
                  <Time at={reset.data.expiresAt} words />. It is not shown again.
                </p>
              </>
            ) : (
              <p className="text-text-2">
                It has a link to a new password, which works once and expires{' '}
                <Time at={reset.data.expiresAt} words />. Only the owner of the address gets it.
              </p>
            )}
          </>
        ) : (
          <p className="text-text-2">
            Creates a link that lets {name} set a new password. The current password works until
            then.
          </p>
        )}
        {reset.isError && <Callout tone="danger">{messageOf(reset.error)}</Callout>}
        <DialogActions>
          {reset.data ? (
            <Button variant="primary" onPress={close}>
              Done
            </Button>
          ) : (
            <>
              <Button onPress={close} isDisabled={reset.isPending}>
                Cancel
              </Button>
              <Button
                variant="primary"
                isPending={reset.isPending}
                onPress={() => member && reset.mutate(member.userId)}
              >
                Create the link
              </Button>
            </>
          )}
        </DialogActions>
      </div>
    </Dialog>
  )
}
