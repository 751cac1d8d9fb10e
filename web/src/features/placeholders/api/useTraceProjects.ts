import { useQuery } from '@tanstack/react-query'
import { ApiError, projectApi, unwrap } from '@/shared/api'
import { useSession } from '@/shared/currentUser'

/** The user's projects that have a trace. Queried one after another, to spare servers with many projects. */
export function useTraceProjects(traceId: string) {
  const session = useSession()
  const projects = session.organizations.flatMap((organization) =>
    organization.projects.map((project) => ({ organization, project })),
  )
  const search = useQuery({
    queryKey: ['find-trace', traceId, projects.map(({ project }) => project.id)],
    queryFn: async ({ signal }) => {
      const ids: string[] = []
      for (const { project } of projects)
        if (await hasTrace(project.id, traceId, signal)) ids.push(project.id)
      return ids
    },
  })
  return {
    ...search,
    projects,
    found: projects.filter(({ project }) => search.data?.includes(project.id)),
  }
}

/** Whether a project has the trace, as far as the user may see. */
async function hasTrace(projectId: string, traceId: string, signal: AbortSignal) {
  try {
    const { data } = await unwrap(
      projectApi(projectId).GET('/v2/observations', {
        params: { query: { traceId, limit: 1 } },
        signal,
      }),
    )
    return data.length > 0
  } catch (error) {
    if (error instanceof ApiError && (error.status === 403 || error.status === 404)) return false
    throw error
  }
}
