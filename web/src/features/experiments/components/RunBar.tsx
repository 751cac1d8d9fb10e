import { X } from 'lucide-react'
import { Badge, Button, ErrorCount, IconButton, Money, Select, Time } from '@/shared/ui'
import { countOf } from '@/shared/lib/format'
import type { Comparison } from '../api/useComparison'
import { useExperiments } from '../api/useExperiments'
import { mostCandidates } from '../model/results'
import { runName } from '../model/runs'

type RunBarProps = {
  projectId: string
  comparison: Comparison
  /** Compares other experiments: the first is the baseline. */
  onRuns: (ids: string[]) => void
}

/** The experiments that are compared, and which others could be. */
export function RunBar({ projectId, comparison, onRuns }: RunBarProps) {
  const { runs } = comparison
  const ids = runs.map(({ id }) => id)
  const others = useExperiments(projectId, runs[0]?.datasetId ?? '', '')
  const options = (others.data?.experiments ?? [])
    .filter(({ id }) => !ids.includes(id))
    .map((each) => ({
      id: each.id,
      label: each.name || each.id,
      description: new Date(each.startTime).toLocaleString(),
    }))
  return (
    <ul aria-label="Experiments compared" className="flex flex-wrap items-stretch gap-2">
      {runs.map((run, n) => (
        <li
          key={run.id}
          className="flex max-w-96 min-w-0 flex-col gap-1 rounded-md border border-border px-2.5 py-1.5 text-sm"
        >
          <span className="flex min-w-0 items-center gap-1">
            <bdi className="min-w-0 truncate font-medium" title={run.name || run.id}>
              {runName(run, n)}
            </bdi>
            {n > 0 && (
              <>
                <Button
                  size="sm"
                  variant="ghost"
                  onPress={() => onRuns([run.id, ...ids.filter((id) => id !== run.id)])}
                >
                  Make baseline
                </Button>
                <IconButton
                  size="sm"
                  label={`Remove ${run.name || run.id}`}
                  icon={<X aria-hidden />}
                  onPress={() => onRuns(ids.filter((id) => id !== run.id))}
                />
              </>
            )}
          </span>
          <span className="flex flex-wrap items-center gap-x-2 text-text-3">
            <Time at={run.startTime} />
            <span>{countOf(run.items, 'item')}</span>
            {run.runs > run.items && <Badge>{countOf(run.runs, 'run')}</Badge>}
            <ErrorCount count={run.errors} />
            {run.cost !== null && <Money amount={run.cost} isNarrow />}
          </span>
        </li>
      ))}
      {runs.length <= mostCandidates && options.length > 0 && (
        <li className="flex items-center">
          <Select
            label="Compare with"
            hideLabel
            placeholder="Compare with…"
            className="w-48"
            value={null}
            onChange={(id) => onRuns([...ids, id])}
            options={options}
          />
        </li>
      )}
    </ul>
  )
}
