import { createFileRoute } from '@tanstack/react-router'
import * as v from 'valibot'
import { auditSearchEntries, OrganizationAuditPage } from '@/features/audit'
import { tableSearchEntries } from '@/shared/table'

export const Route = createFileRoute('/_app/organization/$organizationId/settings/audit-logs')({
  validateSearch: v.looseObject({ ...tableSearchEntries, ...auditSearchEntries }),
  component: OrganizationAuditPage,
})
