import { SearchX } from 'lucide-react'
import { lazy, Suspense, useEffect, useEffectEvent, useRef, type ReactNode } from 'react'
import { useRefresh } from '@/shared/api'
import { formatExact } from '@/shared/lib/format'
import { usePreference } from '@/shared/lib/preference'
import { zonePreference } from '@/shared/lib/preferences'
import { labelRange } from '@/shared/lib/timeRange'
import { Button, EmptyState, Spinner, Time } from '@/shared/ui'
import { useEmptyReasons, type RelaxedCount } from '../api/useEmptyReasons'
import type { TraceQuery } from '../api/useTraceQuery'
import { isEmptyQuery, traceQueries } from '../model/query'
import { rangeAround } from '../model/rangeAround'
import type { Table } from '../model/view'

const FirstTrace = lazy(async () => ({ default: (await import('@/features/home')).FirstTrace }))

type NoRowsProps = {
  projectId: string
  table: Table
  view: TraceQuery
  onAllEnvironments: () => void
}

/**
 * Shown when there are no rows: which part of the query to loosen, and which time range has some. A project without
 * traces gets the snippet.
 */
export function NoRows({ projectId, table, view, onAllEnvironments }: NoRowsProps) {
  const zone = usePreference(zonePreference)
  const { query, environment, range } = view
  const why = useEmptyReasons(projectId, table, query, view.selection)
  const isWaiting = why.isSuccess && why.data.any === undefined
  const wasWaiting = useRef(false)
  const refresh = useRefresh(projectId)
  const onFirst = useEffectEvent(() => {
    view.refresh()
    void refresh('rows', 'metrics')
  })
  // Everything that was loaded from the empty project is out of date as soon as there is a trace.
  useEffect(() => {
    if (wasWaiting.current && !isWaiting) onFirst()
    wasWaiting.current = isWaiting
  }, [isWaiting])
  if (isWaiting)
    return (
      <div className="p-4">
        <p className="pb-4 text-lg font-medium">
          This project has no traces yet. Send the first one.
        </p>
        <Suspense>
          <FirstTrace />
        </Suspense>
      </div>
    )
  const isFiltered = !isEmptyQuery(query) || environment.length > 0
  const newest = why.data?.matching
  return (
    <EmptyState
      icon={<SearchX aria-hidden />}
      title={`No ${table} ${isFiltered ? 'match' : 'here'}`}
    >
      <p>
        {isFiltered ? 'Nothing matches all conditions' : 'There is nothing'} in{' '}
        {labelRange(range, zone).replace(/^Last/, 'the last').replace(/^All/, 'all')}.
      </p>
      {why.isPending && (
        <p role="status" className="flex items-center justify-center gap-2 pt-2 text-text-3">
          <Spinner /> Checking why…
        </p>
      )}
      {why.data && (
        <ul className="flex flex-col items-stretch gap-2 pt-4 text-left">
          {newest !== undefined && (
            <Suggestion
              text={
                <>
                  The newest {isFiltered ? 'match' : 'one'} started <Time at={newest} />
                </>
              }
              action="Jump to it"
              onPress={() => view.setRange(rangeAround(new Date(newest), view.asOf))}
            />
          )}
          {why.data.counts.map((each) => (
            <Suggestion
              key={String(each.without)}
              text={
                <>
                  Without {wordsOf(each, view)}: {each.exact ? '' : 'at least '}
                  {formatExact(each.count)} {table}
                </>
              }
              action="Remove it"
              onPress={() => remove(each, view, onAllEnvironments)}
            />
          ))}
          {why.data.counts.length === 0 && newest === undefined && isFiltered && (
            <Suggestion
              text="No single filter explains this"
              action="Remove all"
              onPress={() => view.setQuery({ conditions: [], search: '' })}
            />
          )}
        </ul>
      )}
    </EmptyState>
  )
}

function Suggestion({
  text,
  action,
  onPress,
}: {
  text: ReactNode
  action: string
  onPress: () => void
}) {
  return (
    <li className="flex items-center justify-between gap-3 rounded-md border border-border px-3 py-1.5">
      <span className="min-w-0 break-words">{text}</span>
      <Button size="sm" onPress={onPress}>
        {action}
      </Button>
    </li>
  )
}

function wordsOf({ without }: RelaxedCount, { query, environment }: TraceQuery): ReactNode {
  if (without === 'search') return <code className="font-mono text-sm">“{query.search}”</code>
  if (without === 'environment') return `environment ${environment.join(', ')}`
  const condition = query.conditions[without]
  return (
    <code className="font-mono text-sm">
      {condition ? (traceQueries.printCondition(condition) ?? condition.column) : ''}
    </code>
  )
}

function remove(
  { without }: RelaxedCount,
  { query, setQuery }: TraceQuery,
  onAllEnvironments: () => void,
) {
  if (without === 'environment') onAllEnvironments()
  else if (without === 'search') setQuery({ ...query, search: '' })
  else setQuery({ ...query, conditions: query.conditions.filter((_, at) => at !== without) })
}
