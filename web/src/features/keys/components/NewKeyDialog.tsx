import { SubmitForm, useForm } from '@/shared/forms'
import { basePath } from '@/shared/lib/url'
import {
  Button,
  Callout,
  CodeBlock,
  Dialog,
  DialogActions,
  Secret,
  Select,
  TextField,
} from '@/shared/ui'
import { useCreateKey, type KeyOwner, type NewKey } from '../api/useKeys'
import { environmentSnippet } from '../model/environment'
import { expiresAt, expiryOptions, expiryProblem, type Expiry } from '../model/expiry'
import { accessOptions, permissionsOf, type Access, type KeyPermission } from '../model/permissions'
import { PermissionPicker } from './PermissionPicker'

type NewKeyDialogProps = { owner: KeyOwner; isOpen: boolean; onClose: () => void }

/** Creates a key and shows its secret once; the dialog cannot be closed by accident while it does. */
export function NewKeyDialog({ owner, isOpen, onClose }: NewKeyDialogProps) {
  const create = useCreateKey(owner)
  const close = () => {
    onClose()
    create.reset()
  }
  return (
    <Dialog
      title={create.data ? 'Copy your new key' : 'New API key'}
      isOpen={isOpen}
      onClose={close}
      isDismissable={!create.data && !create.isPending}
      size="lg"
    >
      {create.data ? (
        <KeyOnce owner={owner} created={create.data} onClose={close} />
      ) : (
        <NewKeyForm owner={owner} create={create} onClose={close} />
      )}
    </Dialog>
  )
}

type NewKeyFormProps = {
  owner: KeyOwner
  create: ReturnType<typeof useCreateKey>
  onClose: () => void
}

type Values = {
  note: string
  expiry: Expiry
  expiresAt: string
  access: Access
  permissions: KeyPermission[]
}

const initial: Values = { note: '', expiry: 'never', expiresAt: '', access: 'all', permissions: [] }

function NewKeyForm({ owner, create, onClose }: NewKeyFormProps) {
  const form = useForm<Values>({
    initial,
    check: (values) => ({
      expiresAt: expiryProblem(values.expiry, values.expiresAt, new Date()),
      permissions:
        values.access === 'chosen' && values.permissions.length === 0
          ? 'Choose at least one'
          : undefined,
    }),
    error: create.error,
  })
  const { values } = form
  const send = () =>
    form.submit(() =>
      create.mutate({
        note: values.note.trim() === '' ? null : values.note.trim(),
        expiresAt: expiresAt(values.expiry, values.expiresAt, new Date()),
        ...(owner.kind === 'project' && {
          permissions: permissionsOf(values.access, values.permissions),
        }),
      }),
    )
  return (
    <SubmitForm
      action="Create key"
      isPending={create.isPending}
      onSubmit={send}
      error={form.error}
      onClose={onClose}
    >
      <TextField
        {...form.field('note')}
        label="Note"
        description="What this key is for, so that it is clear when it can be revoked"
        placeholder="Production of the travel agent"
        autoFocus
        autoComplete="off"
        maxLength={1000}
      />
      <div className="grid gap-4 sm:grid-cols-2">
        <Select {...form.field('expiry')} label="Expires" options={expiryOptions} />
        {values.expiry === 'date' && (
          <TextField {...form.field('expiresAt')} label="Last day" type="date" />
        )}
      </div>
      {owner.kind === 'project' && (
        <>
          <Select {...form.field('access')} label="Permissions" options={accessOptions} />
          {values.access === 'chosen' && <PermissionPicker {...form.field('permissions')} />}
        </>
      )}
    </SubmitForm>
  )
}

function KeyOnce({
  owner,
  created,
  onClose,
}: {
  owner: KeyOwner
  created: NewKey
  onClose: () => void
}) {
  return (
    <div className="flex flex-col gap-4">
      <Callout tone="warning">
        The secret key is shown now and never again. Keep it somewhere safe before you close this.
      </Callout>
      <div className="grid grid-cols-1 gap-3 sm:grid-cols-2">
        <Secret label="Public key" value={created.publicKey} />
        <Secret label="Secret key" value={created.secretKey} />
      </div>
      {owner.kind === 'project' && (
        <CodeBlock
          label="environment"
          code={environmentSnippet(location.origin + basePath, created)}
        />
      )}
      <DialogActions>
        <Button variant="primary" onPress={onClose}>
          I have stored it
        </Button>
      </DialogActions>
    </div>
  )
}
