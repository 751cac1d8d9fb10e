import { useOrganization } from '@/shared/currentUser'
import { KeysPage } from './components/KeysPage'

/** The keys with which programs manage an organization. */
export function OrganizationKeysPage() {
  const { organization } = useOrganization()
  return (
    <KeysPage
      owner={{ kind: 'organization', id: organization.id }}
      description="For programs that manage the organization: projects, members, SCIM. Traces are sent with keys of projects."
    />
  )
}
