import { Navigate } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { LoadError } from '@/shared/errors'
import { useProject } from '@/shared/currentUser'
import { Page, PageHeader, Skeleton } from '@/shared/ui'
import { useLatestTraces } from './api/useLatestTraces'
import { FirstTrace } from './components/FirstTrace'

// The figures and the list are most of the page's code. They are fetched in parallel with the rows, behind one common
// placeholder.
const loadList = () => import('./components/LatestTraces')
const loadFigures = () => import('./components/Overview')
const LatestTraces = lazy(async () => ({ default: (await loadList()).LatestTraces }))
const Overview = lazy(async () => ({ default: (await loadFigures()).Overview }))

/** Fetches what the page shows besides its frame. If that fails, it is fetched when it is shown. */
export function prefetchHome(): void {
  void Promise.allSettled([loadList(), loadFigures()])
}

/** The start page of a project. Annotators, who see only the traces in their queues, are sent to the queues. */
export function HomePage() {
  const { project, can } = useProject()
  if (!can('traces:read'))
    return (
      <Navigate
        to="/project/$projectId/annotation-queues"
        params={{ projectId: project.id }}
        replace
      />
    )
  return <NewestTraces />
}

/** How to send the first trace and, once there is one, the figures of the project and its newest traces. */
function NewestTraces() {
  const { project } = useProject()
  const latest = useLatestTraces(project.id)
  const hasTraces = (latest.data?.length ?? 0) > 0
  return (
    <Page>
      <PageHeader
        title={project.name}
        description={
          latest.isSuccess && !hasTraces
            ? 'This project has no traces yet. Send the first one.'
            : undefined
        }
      />
      {latest.isPending && <Loading />}
      {latest.isError && latest.data === undefined && (
        <LoadError title="Couldn’t load traces" query={latest} />
      )}
      {latest.data && (
        <Suspense fallback={<Loading />}>
          {hasTraces ? (
            <div className="flex min-w-0 flex-col gap-6">
              <Overview projectId={project.id} />
              <LatestTraces projectId={project.id} rows={latest.data} />
            </div>
          ) : (
            <FirstTrace />
          )}
        </Suspense>
      )}
    </Page>
  )
}

function Loading() {
  return (
    <div aria-busy className="flex max-w-3xl flex-col gap-3">
      <Skeleton className="h-8 w-1/3" />
      <Skeleton className="h-40" />
    </div>
  )
}
