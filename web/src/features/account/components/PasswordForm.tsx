import { useForm } from '@/shared/forms'
import { Button, FormLayout, PasswordField, toast } from '@/shared/ui'
import { useChangePassword } from '../api/useAccount'

const shortest = 10
const initial = { current: '', new: '' }

export function PasswordForm() {
  const change = useChangePassword()
  const form = useForm({
    initial,
    check: (values) => ({
      current: values.current === '' ? 'Enter your current password' : undefined,
      new: [...values.new].length < shortest ? `At least ${shortest} characters` : undefined,
    }),
    error: change.error,
  })
  return (
    <FormLayout
      error={form.error}
      onSubmit={() =>
        form.submit((values) =>
          change.mutate(values, {
            onSuccess: () => {
              form.reset(initial)
              toast('Password changed', { description: 'All other sessions were signed out.' })
            },
          }),
        )
      }
      actions={
        <Button type="submit" isPending={change.isPending}>
          Change password
        </Button>
      }
    >
      <PasswordField
        {...form.field('current')}
        label="Current password"
        autoComplete="current-password"
      />
      <PasswordField
        {...form.field('new')}
        label="New password"
        autoComplete="new-password"
        description={`At least ${shortest} characters. Your other sessions are signed out.`}
      />
    </FormLayout>
  )
}
