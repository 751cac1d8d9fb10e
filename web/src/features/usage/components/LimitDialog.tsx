import { SubmitForm, useForm } from '@/shared/forms'
import { Dialog, TextField, toast } from '@/shared/ui'
import { useChangeLimits } from '../api/useUsage'
import { limitNames, limitProblems, newLimits, toLimitValues, type Limit } from '../model/limits'

type LimitDialogProps = {
  organizationId: string
  projectId: string
  limits: readonly Limit[]
  isOpen: boolean
  onClose: () => void
}

/** The limits of a project, to be changed. */
export function LimitDialog({ isOpen, onClose, ...form }: LimitDialogProps) {
  return (
    <Dialog title="Limits of the project" isOpen={isOpen} onClose={onClose}>
      {isOpen && <LimitForm {...form} onClose={onClose} />}
    </Dialog>
  )
}

function LimitForm(props: Omit<LimitDialogProps, 'isOpen'>) {
  const { organizationId, projectId, limits, onClose } = props
  const change = useChangeLimits(organizationId, projectId)
  const form = useForm({
    initial: toLimitValues(limits),
    check: limitProblems,
    error: change.error,
    draft: { name: 'limits' },
  })
  return (
    <SubmitForm
      action="Save limits"
      isPending={change.isPending}
      error={form.error}
      onClose={onClose}
      onSubmit={() =>
        form.submit((values) =>
          change.mutate(newLimits(values), {
            onSuccess: () => {
              toast('Limits changed')
              onClose()
            },
          }),
        )
      }
    >
      <p className="text-text-2">
        Leave a field empty for the limit of the instance, or for none. Requests beyond a limit are
        rejected until it starts again; clients retry them.
      </p>
      <div className="grid grid-cols-1 gap-4 sm:grid-cols-2">
        {limitNames.map(({ name, field }) => (
          <TextField key={name} {...form.field(name)} label={field} inputMode="decimal" />
        ))}
      </div>
    </SubmitForm>
  )
}
