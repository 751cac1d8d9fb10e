import { Forbidden } from '@/shared/roles'
import { useOrganization } from '@/shared/currentUser'
import { PageHeader } from '@/shared/ui'
import { AuditLog } from './components/AuditLog'

/** Who changed what in the organization and its projects. */
export function OrganizationAuditPage() {
  const { organization, can } = useOrganization()
  const mayRead = can('audit:read')
  const projects = new Map(organization.projects.map((each) => [each.id, each.name]))
  return (
    <>
      <PageHeader
        title="Audit log"
        description="Who changed what in the organization and its projects, and from where."
      />
      {mayRead ? (
        <AuditLog scope={{ kind: 'organization', id: organization.id }} projects={projects} />
      ) : (
        <Forbidden
          doing="read the audit log"
          permission="audit:read"
          level="organization"
          role={organization.role}
        />
      )}
    </>
  )
}
