import { useForm } from '@/shared/forms'
import { useUser } from '@/shared/currentUser'
import { Button, FormLayout, TextField, toast } from '@/shared/ui'
import { useRename } from '../api/useAccount'

export function NameForm() {
  const user = useUser()
  const rename = useRename()
  const form = useForm({
    initial: { name: user.name },
    check: (values) => ({ name: values.name.trim() === '' ? 'Enter your name' : undefined }),
    error: rename.error,
    draft: { name: 'name' },
  })
  return (
    <FormLayout
      error={form.error}
      onSubmit={() =>
        form.submit(({ name }) =>
          rename.mutate(name.trim(), { onSuccess: () => toast('Name changed') }),
        )
      }
      actions={
        <Button
          type="submit"
          isPending={rename.isPending}
          isDisabled={form.values.name.trim() === user.name}
        >
          Save
        </Button>
      }
    >
      <TextField {...form.field('name')} label="Name" autoComplete="name" maxLength={100} />
      <dl className="flex flex-col gap-1">
        <dt className="text-sm font-medium text-text-2">Email</dt>
        <dd className="break-words">{user.email}</dd>
        <dd className="text-sm text-text-3">
          You sign in with this address. It cannot be changed here.
        </dd>
      </dl>
    </FormLayout>
  )
}
