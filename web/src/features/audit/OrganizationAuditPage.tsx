import { GuardedPage } from '@/shared/roles'
import { useOrganization } from '@/shared/currentUser'
import { AuditLog } from './components/AuditLog'

/** Who changed what in the organization and its projects. */
export function OrganizationAuditPage() {
  const { organization } = useOrganization()
  const projects = new Map(organization.projects.map((each) => [each.id, each.name]))
  return (
    <GuardedPage
      frame="settings"
      title="Audit log"
      description="Who changed what in the organization and its projects, and from where."
      permission="audit:read"
      doing="read the audit log"
    >
      <AuditLog scope={{ kind: 'organization', id: organization.id }} projects={projects} />
    </GuardedPage>
  )
}
