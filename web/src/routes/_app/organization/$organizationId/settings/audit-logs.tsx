import { createFileRoute } from '@tanstack/react-router'
import { auditSearchNames, OrganizationAuditPage } from '@/features/audit'
import { tableSearchNames } from '@/shared/table'
import { strings } from '@/shared/lib/search'

export const Route = createFileRoute('/_app/organization/$organizationId/settings/audit-logs')({
  validateSearch: strings(...tableSearchNames, ...auditSearchNames),
  component: OrganizationAuditPage,
})
