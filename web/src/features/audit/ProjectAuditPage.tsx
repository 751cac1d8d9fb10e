import { GuardedPage } from '@/shared/roles'
import { useProject } from '@/shared/currentUser'
import { AuditLog } from './components/AuditLog'

/** Who changed what in the project. */
export function ProjectAuditPage() {
  const { project } = useProject()
  return (
    <GuardedPage
      frame="settings"
      title="Audit log"
      description="Who changed what in this project, and from where."
      permission="audit:read"
      doing="read the audit log"
    >
      <AuditLog scope={{ kind: 'project', id: project.id }} />
    </GuardedPage>
  )
}
