import { Link } from '@tanstack/react-router'
import { Ban, Pause, Play, RotateCw } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { LoadError, toastFailure } from '@/shared/errors'
import { countOf } from '@/shared/lib/format'
import { Badge, Button, ConfirmDialog, linkClass } from '@/shared/ui'
import { useChangeRun, useServerRuns, type RunChange, type ServerRun } from '../api/useRuns'
import { changesOf, describeState, progressText, shownRuns } from '../model/progress'

type ServerRunsProps = {
  projectId: string
  /** Those on one dataset only; '' for all. */
  datasetId: string
}

/** The experiments that the server runs, with their progress; nothing if there are none. */
export function ServerRuns({ projectId, datasetId }: ServerRunsProps) {
  const runs = useServerRuns(projectId, datasetId, true)
  const [isWhole, setWhole] = useState(false)
  if (runs.isError && !runs.data)
    return <LoadError title="Couldn’t load the experiments that run" query={runs} />
  if (!runs.data || runs.data.length === 0) return null
  const shown = shownRuns(runs.data, isWhole)
  const hidden = runs.data.length - shown.length
  return (
    <section aria-label="Run by the server" className="flex max-h-72 min-w-0 flex-col pb-3">
      <ul className="flex min-h-0 flex-col gap-2 overflow-y-auto">
        {shown.map((run) => (
          <li key={run.id}>
            <RunLine projectId={projectId} run={run} />
          </li>
        ))}
      </ul>
      {(hidden > 0 || isWhole) && (
        <div className="pt-1">
          <Button size="sm" variant="ghost" onPress={() => setWhole(!isWhole)}>
            {isWhole ? 'Show fewer' : `Show ${countOf(hidden, 'earlier run')}`}
          </Button>
        </div>
      )}
    </section>
  )
}

const looks: Record<RunChange, { label: string; icon: ReactNode; failure: string }> = {
  pause: {
    label: 'Pause',
    icon: <Pause aria-hidden />,
    failure: 'The experiment could not be paused',
  },
  resume: {
    label: 'Resume',
    icon: <Play aria-hidden />,
    failure: 'The experiment could not be resumed',
  },
  retry: {
    label: 'Retry failed',
    icon: <RotateCw aria-hidden />,
    failure: 'The failed calls could not be repeated',
  },
  cancel: {
    label: 'Cancel',
    icon: <Ban aria-hidden />,
    failure: 'The experiment could not be cancelled',
  },
}

function RunLine({ projectId, run }: { projectId: string; run: ServerRun }) {
  const { mutate, isPending, variables } = useChangeRun(projectId)
  const [isCancelling, setCancelling] = useState(false)
  const { label, tone } = describeState(run.state)
  const change = (what: RunChange) =>
    mutate({ runId: run.id, change: what }, { onError: toastFailure(looks[what].failure) })
  const progress = progressText(run)
  return (
    <div className="flex min-w-0 flex-col gap-1 rounded-md border border-border bg-surface-1 px-3 py-2">
      <div className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1">
        <Link
          to="/project/$projectId/experiments/results"
          params={{ projectId }}
          search={{ baseline: run.experimentId }}
          className={`${linkClass} min-w-0 break-words`}
        >
          <bdi>{run.name}</bdi>
        </Link>
        <Badge tone={tone}>{label}</Badge>
        <span className="tabular text-sm text-text-2">{progress}</span>
        <span className="ml-auto flex flex-wrap gap-1">
          {changesOf(run).map((what) => (
            <Button
              key={what}
              size="sm"
              variant="ghost"
              icon={looks[what].icon}
              isPending={isPending && variables.change === what}
              aria-label={`${looks[what].label}: ${run.name}`}
              onPress={() => (what === 'cancel' ? setCancelling(true) : change(what))}
            >
              {looks[what].label}
            </Button>
          ))}
        </span>
      </div>
      {run.state !== 'done' && run.state !== 'cancelled' && (
        <progress
          aria-label={`Progress of ${run.name}`}
          value={run.done + run.failed}
          max={run.total}
          className="h-1 w-full accent-accent"
        />
      )}
      {run.error !== '' && <p className="break-words text-danger">{run.error}</p>}
      <ConfirmDialog
        title="End the experiment?"
        action="End experiment"
        isOpen={isCancelling}
        onClose={() => setCancelling(false)}
        onConfirm={() => {
          setCancelling(false)
          change('cancel')
        }}
      >
        <p>
          <bdi className="font-medium">{run.name}</bdi> ends for good, with its calls in progress.
          The results so far stay.
        </p>
      </ConfirmDialog>
    </div>
  )
}
