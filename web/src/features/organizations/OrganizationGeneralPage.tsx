import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { LogOut, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { ConfirmChange, useForm } from '@/shared/forms'
import { NeedsRole } from '@/shared/roles'
import { useOrganization } from '@/shared/currentUser'
import {
  Button,
  Callout,
  FormLayout,
  PageHeader,
  Secret,
  Section,
  TextField,
  toast,
} from '@/shared/ui'
import { useDeleteOrganization, useLeaveOrganization, useRenameOrganization } from './api/useChange'
import { sessionKey } from '@/shared/api'

/** Name, id and deletion of an organization. */
export function OrganizationGeneralPage() {
  const { organization } = useOrganization()
  return (
    <>
      <PageHeader title={`${organization.name} settings`} />
      <Section title="Name">
        <RenameForm key={organization.name} />
      </Section>
      <Section title="Id" description="Identifies the organization in the API.">
        <div className="max-w-md">
          <Secret label="Organization id" value={organization.id} />
        </div>
      </Section>
      <Leaving />
      <Deletion />
    </>
  )
}

function RenameForm() {
  const { organization, can } = useOrganization()
  const rename = useRenameOrganization(organization.id)
  const form = useForm({
    initial: { name: organization.name },
    check: (values) => ({ name: values.name.trim() === '' ? 'Enter a name' : undefined }),
    error: rename.error,
    draft: { name: 'name' },
  })
  const mayRename = can('organization:update')
  return (
    <FormLayout
      error={form.error}
      onSubmit={() =>
        form.submit(({ name }) =>
          rename.mutate(name.trim(), { onSuccess: () => toast('Organization renamed') }),
        )
      }
      actions={
        <NeedsRole doing="rename the organization" permission="organization:update">
          <Button
            type="submit"
            isPending={rename.isPending}
            isDisabled={form.values.name.trim() === organization.name}
          >
            Save
          </Button>
        </NeedsRole>
      }
    >
      <TextField
        {...form.field('name')}
        label="Name"
        maxLength={100}
        autoComplete="off"
        isDisabled={!mayRename}
      />
    </FormLayout>
  )
}

function Leaving() {
  const { organization } = useOrganization()
  const leave = useLeaveOrganization()
  const client = useQueryClient()
  const navigate = useNavigate()
  const [isOpen, setOpen] = useState(false)
  return (
    <Section
      title="Leave the organization"
      description="Your account stays. To come back, you need an invitation."
    >
      <Button icon={<LogOut aria-hidden />} className="self-start" onPress={() => setOpen(true)}>
        Leave organization
      </Button>
      <ConfirmChange
        title={`Leave ${organization.name}?`}
        action="Leave organization"
        change={leave}
        variables={isOpen ? organization.id : undefined}
        onClose={() => setOpen(false)}
        onDone={async () => {
          await navigate({ to: '/' })
          await client.invalidateQueries({ queryKey: sessionKey })
          toast(`You left ${organization.name}`)
        }}
      >
        You lose access to its projects and your roles in them.
      </ConfirmChange>
    </Section>
  )
}

function Deletion() {
  const { organization } = useOrganization()
  const remove = useDeleteOrganization(organization.id)
  const client = useQueryClient()
  const navigate = useNavigate()
  const [isOpen, setOpen] = useState(false)
  const count = organization.projects.length
  return (
    <Section
      title="Delete the organization"
      description="An organization is deleted with its members, keys and invitations. It must have no projects."
    >
      <NeedsRole doing="delete the organization" permission="organization:delete">
        <div className="flex flex-col items-start gap-3">
          {count > 0 && (
            <Callout>
              {count === 1
                ? 'It has a project. Delete it first, in its own settings.'
                : `It has ${count} projects. Delete them first, each in its own settings.`}
            </Callout>
          )}
          <Button
            variant="danger"
            icon={<Trash2 aria-hidden />}
            isDisabled={count > 0}
            onPress={() => setOpen(true)}
          >
            Delete organization
          </Button>
        </div>
      </NeedsRole>
      <ConfirmChange
        title={`Delete ${organization.name}?`}
        action="Delete organization"
        typed={organization.name}
        change={remove}
        variables={isOpen ? organization.name : undefined}
        onClose={() => setOpen(false)}
        onDone={async () => {
          await navigate({ to: '/' })
          await client.invalidateQueries({ queryKey: sessionKey })
          toast('Organization deleted')
        }}
      >
        Its members lose access and its keys stop working. This cannot be undone.
      </ConfirmChange>
    </Section>
  )
}
