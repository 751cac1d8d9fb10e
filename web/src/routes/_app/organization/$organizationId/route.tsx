import { createFileRoute, notFound, Outlet } from '@tanstack/react-router'
import { NotFoundPage } from '@/app'
import { findOrganization, sessionQuery } from '@/shared/currentUser'

/** The pages of an organization. */
export const Route = createFileRoute('/_app/organization/$organizationId')({
  beforeLoad: async ({ context, params }) => {
    const session = await context.queryClient.ensureQueryData(sessionQuery)
    if (!findOrganization(session, params.organizationId)) throw notFound()
  },
  component: Outlet,
  notFoundComponent: () => <NotFoundPage what="This organization or page" />,
})
