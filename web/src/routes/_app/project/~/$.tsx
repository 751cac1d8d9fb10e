import { createFileRoute, redirect } from '@tanstack/react-router'
import { lastProject, sessionQuery } from '@/shared/currentUser'
import { projectPath } from '@/shared/lib/paths'

/** Redirects to the project that was open last. */
export const Route = createFileRoute('/_app/project/~/$')({
  beforeLoad: async ({ context, location }) => {
    const session = await context.queryClient.ensureQueryData(sessionQuery)
    const projectId = lastProject(session)
    if (projectId === undefined) throw redirect({ to: '/', replace: true })
    const rest = location.href.replace(/^\/project\/~\/?/, '')
    throw redirect({ href: `${projectPath(projectId, '')}/${rest}`, replace: true })
  },
})
