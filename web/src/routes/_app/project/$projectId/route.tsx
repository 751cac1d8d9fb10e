import { createFileRoute, notFound, Outlet, retainSearchParams } from '@tanstack/react-router'
import { NotFoundPage } from '@/app'
import { Published } from '@/features/publicTrace'
import { findProject, rememberProject, sessionQuery } from '@/shared/currentUser'
import { scopeSearch } from '@/shared/scope'

/** The pages of a project. Time range and environments are kept from page to page. */
export const Route = createFileRoute('/_app/project/$projectId')({
  validateSearch: scopeSearch,
  search: { middlewares: [retainSearchParams(['dateRange', 'environment'])] },
  beforeLoad: async ({ cause, context, params }) => {
    const session = await context.queryClient.ensureQueryData(sessionQuery)
    if (!findProject(session, params.projectId)) throw notFound()
    if (cause !== 'preload') rememberProject(params.projectId)
  },
  component: Outlet,
  notFoundComponent: () => <Published otherwise={<NotFoundPage what="This project or page" />} />,
})
