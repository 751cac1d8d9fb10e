import { Link, linkOptions, Navigate } from '@tanstack/react-router'
import { LoadError } from '@/shared/errors'
import { EmptyState, linkClass, Page, PageHeader, Spinner } from '@/shared/ui'
import { useTraceProjects } from './api/useTraceProjects'

/** Finds a trace by its id alone: redirects to the project that has it, or asks if several do. */
export function FindTracePage({ traceId }: { traceId: string }) {
  const search = useTraceProjects(traceId)
  const [only, another] = search.found
  const page = (projectId: string) =>
    linkOptions({ to: '/project/$projectId/traces/$traceId', params: { projectId, traceId } })
  if (only && !another) return <Navigate {...page(only.project.id)} replace />
  return (
    <Page>
      <PageHeader
        title="Trace"
        description={<code className="font-mono text-sm break-all">{traceId}</code>}
      />
      {search.isError ? (
        <LoadError title="Your projects could not be searched" query={search} />
      ) : search.isPending ? (
        <p role="status" className="flex items-center gap-2 text-text-2">
          <Spinner /> Searching your projects…
        </p>
      ) : only ? (
        <div className="flex flex-col gap-2">
          <p>Several of your projects have this trace. Which one do you mean?</p>
          <ul className="flex list-disc flex-col gap-1 pl-5">
            {search.found.map(({ organization, project }) => (
              <li key={project.id}>
                <Link {...page(project.id)} className={linkClass}>
                  {organization.name} / {project.name}
                </Link>
              </li>
            ))}
          </ul>
        </div>
      ) : (
        <EmptyState title="None of your projects has this trace">
          {search.projects.length === 0
            ? 'You do not have access to any project.'
            : `Looked in ${search.projects.map(({ project }) => project.name).join(', ')}. It may have been deleted, or be in a project that you cannot access.`}
        </EmptyState>
      )}
    </Page>
  )
}
