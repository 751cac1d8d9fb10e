import { useProjectMembers } from '@/features/members'
import { Forbidden } from '@/features/roles'
import { useProject } from '@/features/session'
import { PageHeader } from '@/ui'
import { AuditLog } from './components/AuditLog'

/** Who changed what in the project. */
export function ProjectAuditPage() {
  const { project, can } = useProject()
  const mayRead = can('audit:read')
  const members = useProjectMembers(project.id, mayRead && can('members:read'))
  const names = new Map(members.data?.map((each) => [each.userId, each.name || each.email]))
  return (
    <>
      <PageHeader
        title="Audit log"
        description="Who changed what in this project, and from where."
      />
      {mayRead ? (
        <AuditLog scope={{ kind: 'project', id: project.id }} names={names} />
      ) : (
        <Forbidden
          doing="read the audit log"
          permission="audit:read"
          level="project"
          role={project.role}
        />
      )}
    </>
  )
}
