import { createFileRoute } from '@tanstack/react-router'
import { OrganizationSettings } from '@/features/organizations'

export const Route = createFileRoute('/_app/organization/$organizationId/settings')({
  component: OrganizationSettings,
})
