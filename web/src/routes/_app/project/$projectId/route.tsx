import { createFileRoute, notFound, Outlet, retainSearchParams } from '@tanstack/react-router'
import * as v from 'valibot'
import { NotFoundPage } from '@/app'
import { findProject, sessionQuery } from '@/features/session'
import { viewSearchEntries } from '@/features/view'

/** The pages of a project. Time range and environment go along from page to page. */
export const Route = createFileRoute('/_app/project/$projectId')({
  validateSearch: v.looseObject(viewSearchEntries),
  search: { middlewares: [retainSearchParams(['dateRange', 'environment'])] },
  beforeLoad: async ({ context, params }) => {
    const session = await context.queryClient.ensureQueryData(sessionQuery)
    if (!findProject(session, params.projectId)) throw notFound()
  },
  component: Outlet,
  notFoundComponent: () => <NotFoundPage what="This project or page" />,
})
