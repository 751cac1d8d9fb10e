import { Link, useNavigate } from '@tanstack/react-router'
import { ChartColumn, Pencil, RefreshCw, Star, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useMemberNames } from '@/shared/comments'
import { ExportMenu } from '@/features/exports'
import { pagedTableProps } from '@/shared/errors'
import { ConfirmChange } from '@/shared/forms'
import { GuardedPage } from '@/shared/roles'
import { mayEdit, ScoreDialog, useDeleteScores, type Score } from '@/shared/scoring'
import { useProject } from '@/shared/currentUser'
import { useScope, useScopeSearch } from '@/shared/scope'
import { encodeFilter } from '@/shared/lib/filter'
import { formatExact } from '@/shared/lib/format'
import { excludeValue, includeValue, type Query } from '@/shared/query'
import { actionsColumn, DataTable, useTableState, type Column } from '@/shared/table'
import { Button, buttonClass, EmptyState, IconButton, RowActions, toast } from '@/shared/ui'
import { useScoreList, useTraceNames } from './api/useScoreList'
import { scoreColumns } from './components/columns'
import { ScoreQueryBar } from './components/ScoreQueryBar'
import { scoreQueries } from './model/fields'
import { questionOf } from './model/query'
import { subjectPage } from './model/points'
import { useHref } from '@/shared/lib/useHref'
import { useSearchState } from '@/shared/lib/useSearchState'

/** The scores of a project. */
export function ScoresPage() {
  const { project } = useProject()
  const view = useScope()
  return (
    <GuardedPage
      frame="fill"
      title="Scores"
      actions={
        <>
          <Link
            to="/project/$projectId/scores/analytics"
            params={{ projectId: project.id }}
            className={buttonClass('secondary', 'md')}
          >
            <ChartColumn aria-hidden />
            Analytics
          </Link>
          <IconButton label="Refresh" icon={<RefreshCw aria-hidden />} onPress={view.refresh} />
        </>
      }
      permission="scores:read"
      doing="see scores"
    >
      <ScoresTable projectId={project.id} view={view} />
    </GuardedPage>
  )
}

/** What earlier links said is a part of the query from now on. */
const withoutEarlier = {
  name: undefined,
  source: undefined,
  dataType: undefined,
  valueMin: undefined,
  valueMax: undefined,
}

type ScoresTableProps = { projectId: string; view: ReturnType<typeof useScope> }

function ScoresTable({ projectId, view }: ScoresTableProps) {
  const { can } = useProject()
  const { scope } = view
  const [search, change] = useSearchState()
  const { name, source, dataType, valueMin, valueMax, filter } = search
  const { query, unknown } = questionOf(search)
  const setQuery = (next: Query) =>
    change({
      filter: encodeFilter(next.conditions),
      search: next.search === '' ? undefined : next.search,
      ...withoutEarlier,
    })
  const selection = {
    ...scope,
    ...(query.conditions.length > 0 && { filter: query.conditions }),
  }
  const [state, setState] = useTableState()
  const navigate = useNavigate()
  const href = useHref()
  const scores = useScoreList(projectId, selection, state)
  const authorName = useMemberNames(projectId)
  const remove = useDeleteScores(projectId)
  const [edited, setEdited] = useState<Score>()
  const [deleted, setDeleted] = useState<readonly string[]>()
  const pages = scores.data?.pages
  const rows = pages?.flatMap((page) => page.rows)
  const traceNames = useTraceNames(projectId, pages ?? [], can('traces:read'))

  const columns: Column<Score>[] = [
    ...scoreColumns(projectId, authorName, traceNames),
    ...(can('scores:write') || can('scores:delete')
      ? [
          actionsColumn<Score>((score) => (
            <RowActions
              label={`Actions for ${score.name}`}
              actions={[
                {
                  id: 'edit',
                  label: mayEdit(score) ? 'Edit' : 'Edit (not possible for scores of evaluators)',
                  icon: <Pencil aria-hidden />,
                  isDisabled: !can('scores:write') || !mayEdit(score),
                  onAction: () => setEdited(score),
                },
                {
                  id: 'delete',
                  label: 'Delete',
                  icon: <Trash2 aria-hidden />,
                  isDanger: true,
                  isDisabled: !can('scores:delete'),
                  onAction: () => setDeleted([score.id]),
                },
              ]}
            />
          )),
        ]
      : []),
  ]
  return (
    <>
      <DataTable
        label="Scores"
        isMain
        columns={columns}
        rows={rows}
        rowId={(score) => score.id}
        resetKey={JSON.stringify([
          view.resetKey,
          name,
          source,
          dataType,
          valueMin,
          valueMax,
          filter,
          search.search,
        ])}
        state={state}
        onStateChange={setState}
        onOpen={(score) => {
          const page = subjectPage(projectId, score.subject)
          if (page) void navigate(page)
        }}
        hrefOf={(score) => {
          const page = subjectPage(projectId, score.subject)
          return page && href(page)
        }}
        onFilter={({ column, value }, isExcluded) =>
          setQuery((isExcluded ? excludeValue : includeValue)(query, column, value, scoreQueries))
        }
        {...pagedTableProps(scores, 'scores')}
        selectionBar={
          can('scores:delete')
            ? (ids) => (
                <Button size="sm" icon={<Trash2 aria-hidden />} onPress={() => setDeleted(ids)}>
                  Delete
                </Button>
              )
            : undefined
        }
        toolbar={
          <>
            <ScoreQueryBar
              projectId={projectId}
              query={query}
              unknown={unknown}
              onChange={setQuery}
            />
            <ExportMenu table="scores" selection={selection} />
          </>
        }
        empty={<NoScores isFiltered={query.conditions.length > 0} />}
      />
      <ScoreDialog projectId={projectId} score={edited} onClose={() => setEdited(undefined)} />
      <ConfirmChange
        title={deleted?.length === 1 ? 'Delete the score' : 'Delete scores'}
        action={deleted?.length === 1 ? 'Delete score' : 'Delete scores'}
        change={remove}
        variables={deleted}
        onClose={() => setDeleted(undefined)}
        onDone={() => void toast('Deleted')}
      >
        {deleted?.length === 1
          ? 'The score is deleted immediately. This cannot be undone.'
          : `${formatExact(deleted?.length ?? 0)} scores are deleted immediately. This cannot be undone.`}
      </ConfirmChange>
    </>
  )
}

function NoScores({ isFiltered }: { isFiltered: boolean }) {
  const [, changeView] = useScopeSearch()
  return (
    <EmptyState
      icon={<Star aria-hidden />}
      title={isFiltered ? 'No matching scores in this time range' : 'No scores in this time range'}
      action={
        <Button onPress={() => changeView({ dateRange: '90d' })}>Show the last 90 days</Button>
      }
    >
      Scores come from annotators, evaluators and programs that send them. Open a trace to add the
      first one.
    </EmptyState>
  )
}
