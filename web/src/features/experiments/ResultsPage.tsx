import { Link } from '@tanstack/react-router'
import { useMutation } from '@tanstack/react-query'
import { Download, FlaskConical, RefreshCw } from 'lucide-react'
import { useMemo } from 'react'
import { LoadError, pagedTableProps, toastFailure } from '@/shared/errors'
import { useProject } from '@/shared/currentUser'
import { countOf } from '@/shared/lib/format'
import { saveBlob } from '@/shared/lib/saveBlob'
import { useSearchState } from '@/shared/lib/useSearchState'
import { GuardedPage } from '@/shared/roles'
import { DataTable, listHeight, useTableState } from '@/shared/table'
import {
  Button,
  Callout,
  EmptyState,
  IconButton,
  linkClass,
  Menu,
  Select,
  Skeleton,
  Switch,
} from '@/shared/ui'
import {
  loadAllItems,
  useComparedItems,
  useComparison,
  type Compared,
  type ComparedItem,
  type Comparison,
  type ItemsQuery,
} from './api/useComparison'
import { itemColumns } from './components/itemColumns'
import { ItemPanel } from './components/ItemPanel'
import { RunBar } from './components/RunBar'
import { Summary } from './components/Summary'
import { toCsv } from './model/file'
import { choiceOf, choices, comparedOf, itemsQueryOf, listOf } from './model/results'
import { measureName } from './model/scores'

/** The results of an experiment, alone or compared with others: ?baseline= and ?c=. */
export function ResultsPage() {
  const { project, can } = useProject()
  const [search] = useSearchState()
  const compared = comparedOf(search)
  const isAllowed = can('traces:read')
  const comparison = useComparison(
    project.id,
    compared ?? { baseline: '-' },
    isAllowed && compared !== undefined,
  )
  return (
    <div className="relative flex min-h-0 min-w-0 flex-1 overflow-hidden">
      <div className="min-h-0 min-w-0 flex-1 overflow-y-auto">
        <GuardedPage
          frame="page"
          title="Experiment results"
          description={
            <Link
              to="/project/$projectId/experiments"
              params={{ projectId: project.id }}
              className={linkClass}
            >
              All experiments
            </Link>
          }
          permission="traces:read"
          doing="see experiments"
          actions={
            compared && (
              <IconButton
                label="Refresh"
                icon={<RefreshCw aria-hidden />}
                onPress={() => void comparison.refetch()}
              />
            )
          }
        >
          {compared === undefined ? (
            <EmptyState icon={<FlaskConical aria-hidden />} title="No experiment is named">
              The address must name one, as ?baseline=. Choose some in the list of experiments.
            </EmptyState>
          ) : comparison.data ? (
            <Results projectId={project.id} comparison={comparison.data} compared={compared} />
          ) : comparison.isError ? (
            <LoadError title="Couldn’t compare the experiments" query={comparison} />
          ) : (
            <div aria-busy="true" className="flex flex-col gap-2">
              <Skeleton className="h-14 w-full" />
              <Skeleton className="w-full" />
              <Skeleton className="w-5/6" />
              <Skeleton className="h-60 w-full" />
            </div>
          )}
        </GuardedPage>
      </div>
    </div>
  )
}

type ResultsProps = {
  projectId: string
  comparison: Comparison
  compared: Compared
}

function Results({ projectId, comparison, compared }: ResultsProps) {
  const [search, change] = useSearchState()
  const [state, setState] = useTableState()
  const asked = itemsQueryOf(compared, search, state)
  const query = useComparedItems(projectId, asked, true)
  const columns = useMemo(() => itemColumns(comparison), [comparison])
  const rows = query.data?.pages.flatMap((page) => page.rows)
  const total = query.data?.pages[0]?.total
  const openAt = rows?.findIndex(({ itemId }) => itemId === search.item) ?? -1
  const item = rows?.[openAt]
  const open = (next: ComparedItem | undefined) =>
    change(
      { item: next?.itemId, peek: undefined, observation: undefined },
      { replace: search.item !== undefined },
    )
  const setRuns = ([baseline, ...others]: string[]) =>
    change({ baseline, c: others.length > 0 ? others : undefined })
  const choice = choiceOf(search.only)
  const hasCandidates = comparison.runs.length > 1
  const byMeasure = choice !== 'missing' && choice !== 'errors' && choice !== 'everything'
  const errorRates = new Set(comparison.runs.map(({ errors, runs }) => errors / Math.max(runs, 1)))
  return (
    <div className="flex min-w-0 flex-col gap-4">
      <RunBar projectId={projectId} comparison={comparison} onRuns={setRuns} />
      {errorRates.size > 1 && hasCandidates && (
        <Callout tone="warning" title="The experiments did not fail equally often">
          What failed may have no scores. Differences are about the items that both experiments have
          a score for; the others are counted beside them.
        </Callout>
      )}
      <Summary
        comparison={comparison}
        onChoose={(only, measure) => change({ only, measure })}
        onDirection={(measure, isLower) => {
          const others = listOf(search.lower).filter((key) => key !== measure)
          const lower = isLower ? [...others, measure] : others
          change({ lower: lower.length > 0 ? lower : undefined })
        }}
      />
      <DataTable<ComparedItem>
        label="Items"
        isMain
        maxHeight={listHeight}
        columns={columns}
        rows={rows}
        rowId={idOf}
        resetKey={JSON.stringify([compared, search.only, search.measure])}
        state={state}
        onStateChange={setState}
        onOpen={open}
        openId={item?.itemId}
        onClose={() => open(undefined)}
        count={total === undefined ? undefined : countOf(total, 'item')}
        {...pagedTableProps(query, 'the items')}
        toolbar={
          <>
            <Select
              label="Which items"
              hideLabel
              className="w-40"
              value={choice}
              onChange={(only) =>
                change({
                  only: only === 'everything' ? undefined : only,
                  measure: only === 'missing' || only === 'errors' ? undefined : search.measure,
                })
              }
              options={choices.filter(
                ({ id }) => hasCandidates || id === 'everything' || id === 'errors',
              )}
            />
            {byMeasure && (
              <Select
                label="By which measure"
                hideLabel
                className="w-44"
                value={search.measure ?? everyScore}
                onChange={(measure) =>
                  change({ measure: measure === everyScore ? undefined : measure })
                }
                options={[
                  { id: everyScore, label: 'By any score' },
                  ...comparison.measures.map((measure) => ({
                    id: measure.key,
                    label: `By ${measureName(measure, comparison.measures)}`,
                  })),
                ]}
              />
            )}
            {hasCandidates && (
              <Switch
                isSelected={compared.items === 'all'}
                onChange={(all) => change({ itemVisibility: all ? 'all' : undefined })}
              >
                <span className="text-sm">Items of all runs</span>
              </Switch>
            )}
            <SaveMenu projectId={projectId} comparison={comparison} asked={asked} />
          </>
        }
        empty={
          choice === 'everything' ? (
            <EmptyState title="The experiment has no items" />
          ) : (
            <EmptyState
              title="No items match"
              action={
                <Button onPress={() => change({ only: undefined, measure: undefined })}>
                  Show all items
                </Button>
              }
            />
          )
        }
      />
      {item && (
        <ItemPanel
          projectId={projectId}
          comparison={comparison}
          item={item}
          traceId={search.peek}
          observationId={search.observation}
          onTrace={(peek, observation) => change({ peek, observation })}
          onWalk={(by) => {
            const next = rows?.[openAt + by]
            if (next) open(next)
          }}
          onClose={() => open(undefined)}
        />
      )}
    </div>
  )
}

const everyScore = 'any score'

function idOf(row: ComparedItem): string {
  return row.itemId
}

type SaveMenuProps = { projectId: string; comparison: Comparison; asked: ItemsQuery }

/** Saves the items that are chosen, in their order. */
function SaveMenu({ projectId, comparison, asked }: SaveMenuProps) {
  const save = useMutation({
    mutationFn: async (format: 'csv' | 'json') => {
      const items = await loadAllItems(projectId, asked)
      const { runs, measures } = comparison
      const text =
        format === 'csv'
          ? toCsv(runs, measures, items)
          : JSON.stringify({ runs, measures, items }, null, 2)
      saveBlob(new Blob([text]), `experiments.${format}`)
    },
    onError: toastFailure('Couldn’t save the items'),
  })
  return (
    <Menu
      label="Export"
      trigger={
        <Button size="sm" icon={<Download aria-hidden />} isPending={save.isPending}>
          Export
        </Button>
      }
      actions={[
        { id: 'csv', label: 'CSV', onAction: () => save.mutate('csv') },
        { id: 'json', label: 'JSON', onAction: () => save.mutate('json') },
      ]}
    />
  )
}
