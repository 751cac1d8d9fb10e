import { createFileRoute } from '@tanstack/react-router'
import { OrganizationPage } from '@/features/organizations'

export const Route = createFileRoute('/_app/organization/$organizationId/')({
  component: OrganizationPage,
})
