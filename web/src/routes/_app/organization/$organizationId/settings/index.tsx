import { createFileRoute } from '@tanstack/react-router'
import { OrganizationGeneralPage } from '@/features/organizations'

export const Route = createFileRoute('/_app/organization/$organizationId/settings/')({
  component: OrganizationGeneralPage,
})
