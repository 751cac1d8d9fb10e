import { createFileRoute } from '@tanstack/react-router'
import { SignOnHelpPage } from '@/features/organizations'

export const Route = createFileRoute('/_app/organization/$organizationId/settings/sso')({
  component: SignOnHelpPage,
})
