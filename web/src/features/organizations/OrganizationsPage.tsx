import { useNavigate } from '@tanstack/react-router'
import { Building2, Plus } from 'lucide-react'
import { useState } from 'react'
import { useSession } from '@/shared/currentUser'
import { Button, EmptyState, Page, PageHeader } from '@/shared/ui'
import { useCreateOrganization } from './api/useCreate'
import { NameDialog } from './NameDialog'
import { Offers } from './Offers'
import { ProjectList } from './ProjectList'

/** All organizations and projects that the user may see. */
export function OrganizationsPage() {
  const { organizations, mayCreateOrganizations } = useSession()
  const [isOpen, setOpen] = useState(false)
  const create = useCreateOrganization()
  const navigate = useNavigate()
  const button = mayCreateOrganizations && (
    <Button icon={<Plus aria-hidden />} onPress={() => setOpen(true)}>
      New organization
    </Button>
  )
  return (
    <Page>
      <div className="flex w-full max-w-4xl flex-col">
        <PageHeader title="Organizations" actions={organizations.length > 0 && button} />
        <div className="flex flex-col gap-4">
          <Offers />
          {organizations.map((organization) => (
            <ProjectList key={organization.id} organization={organization} />
          ))}
        </div>
        {organizations.length === 0 && (
          <EmptyState
            icon={<Building2 aria-hidden />}
            title="You have no access to an organization yet"
            action={button}
          >
            {mayCreateOrganizations
              ? 'Create one, or ask a colleague for an invitation.'
              : 'Ask a colleague for an invitation.'}
          </EmptyState>
        )}
      </div>
      <NameDialog
        title="New organization"
        action="Create organization"
        maxLength={100}
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        create={create}
        onCreated={(made) =>
          void navigate({
            to: '/organization/$organizationId',
            params: { organizationId: made.id },
          })
        }
      />
    </Page>
  )
}
