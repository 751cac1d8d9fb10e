import { createFileRoute } from '@tanstack/react-router'
import { auditSearchNames, ProjectAuditPage } from '@/features/audit'
import { tableSearchNames } from '@/shared/table'
import { strings } from '@/shared/lib/search'

export const Route = createFileRoute('/_app/project/$projectId/settings/audit-logs')({
  validateSearch: strings(...tableSearchNames, ...auditSearchNames),
  component: ProjectAuditPage,
})
