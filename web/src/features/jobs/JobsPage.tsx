import { Ban, ListChecks, RotateCw } from 'lucide-react'
import { useProject } from '@/shared/currentUser'
import { QueryTable, toastFailure } from '@/shared/errors'
import { formatExact } from '@/shared/lib/format'
import { GuardedPage } from '@/shared/roles'
import { actionsColumn, timeColumn, upcomingColumn } from '@/shared/table'
import { Badge, EmptyState, IconButton } from '@/shared/ui'
import { useChangeJob, useJobs, type Job } from './api/useJobs'
import { canRetry, describeJob, describeState, isOpen } from './model/state'

/** The background jobs of the project. */
export function JobsPage() {
  return (
    <GuardedPage
      frame="settings"
      title="Jobs"
      description="What the server does for this project in the background: exports, and the scheduled export to blob storage."
      permission="exports:write"
      doing="see the jobs"
    >
      <JobTable />
    </GuardedPage>
  )
}

function JobTable() {
  const { project, can } = useProject()
  const jobs = useJobs(project.id)
  const mayChange = ({ kind }: Job) =>
    kind === 'export' || can(kind === 'experiment' ? 'playground:run' : 'integrations:write')
  return (
    <QueryTable<Job>
      label="Jobs"
      isMain
      what="the jobs"
      query={jobs}
      rows={jobs.data}
      rowId={(job) => `${job.kind}/${job.id}`}
      detail={(job) =>
        job.error === '' ? (
          <p className="text-text-3">No error.</p>
        ) : (
          <p className="break-words whitespace-pre-wrap">{job.error}</p>
        )
      }
      columns={[
        { id: 'job', header: 'Job', width: 200, required: true, grows: true, cell: describeJob },
        { id: 'state', header: 'State', width: 220, cell: (job) => <State of={job} /> },
        {
          id: 'rows',
          header: 'Rows',
          width: 90,
          align: 'end',
          cell: (job) => formatExact(job.rows),
        },
        timeColumn('started', 'Started', (job) => job.startedAt, { width: 100 }),
        timeColumn('ended', 'Ended', (job) => job.finishedAt, { width: 100 }),
        upcomingColumn('due', 'Due', (job) => job.dueAt, { width: 100 }),
        actionsColumn((job) => mayChange(job) && <Action job={job} />),
      ]}
      empty={
        <EmptyState icon={<ListChecks aria-hidden />} title="No jobs yet">
          Exports of this project appear here while they run and for a month afterwards.
        </EmptyState>
      }
    />
  )
}

/**
 * What can be done about a job: nothing, if it is done. Each button has its own place, so that the second click of a
 * double click does not undo the first.
 */
function Action({ job }: { job: Job }) {
  const { project } = useProject()
  const { mutate, isPending } = useChangeJob(project.id)
  return (
    <span className="flex gap-1">
      {isOpen(job) ? (
        <IconButton
          size="sm"
          label={`Cancel: ${describeJob(job)}`}
          icon={<Ban aria-hidden />}
          isPending={isPending}
          onPress={() =>
            mutate(
              { job, change: 'cancel' },
              { onError: toastFailure('The job could not be cancelled') },
            )
          }
        />
      ) : (
        <span className="size-6 shrink-0" />
      )}
      {canRetry(job) && (
        <IconButton
          size="sm"
          label={`Run again: ${describeJob(job)}`}
          icon={<RotateCw aria-hidden />}
          isPending={isPending}
          onPress={() =>
            mutate(
              { job, change: 'retry' },
              { onError: toastFailure('The job could not be run again') },
            )
          }
        />
      )}
    </span>
  )
}

function State({ of }: { of: Job }) {
  const { label, tone } = describeState(of)
  return (
    <span className="flex min-w-0 items-center gap-2">
      <Badge tone={tone}>{label}</Badge>
      {of.error !== '' && (
        <span className="truncate text-sm text-text-2" title={of.error}>
          {of.error}
        </span>
      )}
    </span>
  )
}
