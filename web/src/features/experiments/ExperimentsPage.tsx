import { linkOptions, useNavigate } from '@tanstack/react-router'
import { FlaskConical, GitCompareArrows, RefreshCw } from 'lucide-react'
import { QueryTable } from '@/shared/errors'
import { useProject } from '@/shared/currentUser'
import { useHref } from '@/shared/lib/useHref'
import { useSearchState } from '@/shared/lib/useSearchState'
import { GuardedPage } from '@/shared/roles'
import { Button, Callout, EmptyState, IconButton, SearchField, Select } from '@/shared/ui'
import { useDatasetNames, useExperiments, type Experiment } from './api/useExperiments'
import { experimentColumns } from './components/experimentColumns'
import { ServerRuns } from './components/ServerRuns'

/** So many experiments are compared at once. */
const mostCompared = 10

/** The experiments of a project. */
export function ExperimentsPage() {
  const { project, can } = useProject()
  const [{ dataset = '', search = '' }] = useSearchState()
  const query = useExperiments(project.id, dataset, search)
  return (
    <GuardedPage
      frame="fill"
      title="Experiments"
      permission="traces:read"
      doing="see experiments"
      actions={
        <IconButton
          label="Refresh"
          icon={<RefreshCw aria-hidden />}
          onPress={() => void query.refetch()}
        />
      }
    >
      {can('playground:run') && <ServerRuns projectId={project.id} datasetId={dataset} />}
      {can('traces:read') && <ExperimentList />}
    </GuardedPage>
  )
}

function ExperimentList() {
  const { project, can } = useProject()
  const [{ dataset = '', search = '' }, change] = useSearchState()
  const query = useExperiments(project.id, dataset, search)
  const names = useDatasetNames(project.id, can('datasets:read')).data ?? noNames
  const navigate = useNavigate()
  const href = useHref()
  const results = (ids: readonly string[]) =>
    linkOptions({
      to: '/project/$projectId/experiments/results',
      params: { projectId: project.id },
      search: { baseline: ids[0] ?? '', ...(ids.length > 1 && { c: ids.slice(1) }) },
    })
  const isFiltered = dataset !== '' || search !== ''
  const datasets = new Map(names)
  if (dataset !== '' && !datasets.has(dataset)) datasets.set(dataset, dataset)
  return (
    <>
      {query.data?.isWhole === false && (
        <div className="pb-3">
          <Callout title="These are the 200 most recently active experiments">
            Search for a name, or choose a dataset, to find older ones.
          </Callout>
        </div>
      )}
      <QueryTable<Experiment>
        label="Experiments"
        isMain
        maxHeight={undefined}
        columns={experimentColumns(query.data?.measures ?? [], names)}
        rows={query.data?.experiments}
        rowId={idOf}
        resetKey={JSON.stringify([dataset, search])}
        isStale={query.isPlaceholderData}
        query={query}
        what="the experiments"
        onOpen={(row) => void navigate(results([row.id]))}
        hrefOf={(row) => href(results([row.id]))}
        selectionBar={(ids) => (
          <>
            <Button
              size="sm"
              icon={<GitCompareArrows aria-hidden />}
              isDisabled={ids.length < 2 || ids.length > mostCompared}
              onPress={() => void navigate(results(oldestFirst(query.data?.experiments, ids)))}
            >
              Compare
            </Button>
            <span className="text-sm text-text-3">
              {ids.length < 2
                ? 'Choose another one to compare.'
                : ids.length > mostCompared
                  ? `At most ${mostCompared} can be compared.`
                  : 'The oldest becomes the baseline.'}
            </span>
          </>
        )}
        toolbar={
          <>
            <SearchField
              label="Search experiments"
              placeholder="Search names"
              value={search}
              onChange={(text) => change({ search: text === '' ? undefined : text })}
            />
            <Select
              label="Dataset"
              hideLabel
              className="w-44"
              value={dataset === '' ? everyDataset : `of ${dataset}`}
              onChange={(id) =>
                change({ dataset: id === everyDataset ? undefined : id.slice('of '.length) })
              }
              options={[
                { id: everyDataset, label: 'All datasets' },
                ...[...datasets].map(([id, name]) => ({ id: `of ${id}`, label: name })),
              ]}
            />
          </>
        }
        empty={
          isFiltered ? (
            <EmptyState
              icon={<FlaskConical aria-hidden />}
              title="No experiments match"
              action={
                <Button onPress={() => change({ dataset: undefined, search: undefined })}>
                  Show all experiments
                </Button>
              }
            />
          ) : (
            <EmptyState icon={<FlaskConical aria-hidden />} title="No experiments yet">
              Experiments run your application on the items of a dataset, or on local data. Start
              one with <code className="font-mono text-sm">run_experiment</code> of the Python SDK,
              or <code className="font-mono text-sm">experiment.run</code> of the JavaScript SDK.
            </EmptyState>
          )
        }
      />
    </>
  )
}

const everyDataset = 'all'
const noNames: ReadonlyMap<string, string> = new Map()

function idOf(row: Experiment): string {
  return row.id
}

/** Runs are compared with the one that came first. */
function oldestFirst(rows: readonly Experiment[] = [], ids: readonly string[]): string[] {
  return rows
    .filter(({ id }) => ids.includes(id))
    .toSorted((a, b) => a.startTime.localeCompare(b.startTime))
    .map(({ id }) => id)
}
