import { createFileRoute } from '@tanstack/react-router'
import * as v from 'valibot'
import { auditSearchEntries, ProjectAuditPage } from '@/features/audit'
import { tableSearchEntries } from '@/shared/table'

export const Route = createFileRoute('/_app/project/$projectId/settings/audit-logs')({
  validateSearch: v.looseObject({ ...tableSearchEntries, ...auditSearchEntries }),
  component: ProjectAuditPage,
})
