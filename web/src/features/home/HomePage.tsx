import { useProject } from '@/features/session'
import { LoadError } from '@/features/failures'
import { Page, PageHeader, Skeleton } from '@/ui'
import { useLatestTraces } from './api/useLatestTraces'
import { FirstTrace } from './components/FirstTrace'
import { LatestTraces } from './components/LatestTraces'

/** The start page of a project: how to send the first trace, and, as soon as there is one, the newest traces. */
export function HomePage() {
  const { project } = useProject()
  const latest = useLatestTraces(project.id)
  const hasTraces = (latest.data?.length ?? 0) > 0
  return (
    <Page fill={hasTraces}>
      <PageHeader
        title={project.name}
        description={
          latest.isSuccess && !hasTraces
            ? 'This project has no traces yet. Send the first one.'
            : undefined
        }
      />
      {latest.isPending && (
        <div aria-busy className="flex max-w-3xl flex-col gap-3">
          <Skeleton className="h-8 w-1/3" />
          <Skeleton className="h-40" />
        </div>
      )}
      {latest.isError && latest.data === undefined && (
        <LoadError title="Traces could not be loaded" query={latest} />
      )}
      {latest.data &&
        (hasTraces ? <LatestTraces projectId={project.id} rows={latest.data} /> : <FirstTrace />)}
    </Page>
  )
}
