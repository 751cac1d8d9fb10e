import { Forbidden } from '@/shared/roles'
import { useProject } from '@/shared/currentUser'
import { PageHeader } from '@/shared/ui'
import { AuditLog } from './components/AuditLog'

/** Who changed what in the project. */
export function ProjectAuditPage() {
  const { project, can } = useProject()
  const mayRead = can('audit:read')
  return (
    <>
      <PageHeader
        title="Audit log"
        description="Who changed what in this project, and from where."
      />
      {mayRead ? (
        <AuditLog scope={{ kind: 'project', id: project.id }} />
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
