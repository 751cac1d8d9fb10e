import { lazy, Suspense, useState, type ReactNode } from 'react'
import { LoadError, pagedTableProps } from '@/shared/errors'
import { useScopeSearch } from '@/shared/scope'
import { countOf, formatExact } from '@/shared/lib/format'
import { useHref } from '@/shared/lib/useHref'
import { DataTable, dynamicKeys, type TableState } from '@/shared/table'
import { Time } from '@/shared/ui'
import type { Bulk } from '../api/useBulk'
import { useCount } from '../api/useCount'
import type { useRows } from '../api/useRows'
import { excludeValue, includeValue, useSuggestions } from '@/shared/query'
import { languageOf } from '../model/question'
import type { useTracesUrlState } from '../api/useTracesUrlState'
import type { TraceQuery } from '../api/useTraceQuery'
import { rowId, type Row } from '../model/rows'
import type { Table } from '../model/view'
import { BulkBar } from './BulkBar'
import { columnsOf } from './columns'
import { NoRows } from './NoRows'

const BulkDialog = lazy(() =>
  import('./BulkDialog').then((module) => ({ default: module.BulkDialog })),
)

type RowsTableProps = {
  projectId: string
  table: Table
  view: TraceQuery
  urlState: ReturnType<typeof useTracesUrlState>
  query: ReturnType<typeof useRows>
  rows: Row[] | undefined
  state: TableState
  onStateChange: (state: TableState) => void
  toolbar: ReactNode
}

/** The table of rows. */
export function RowsTable(props: RowsTableProps) {
  const { projectId, table, view, urlState, query, rows, state } = props
  const href = useHref()
  const [, changeView] = useScopeSearch()
  const [wantsKeys, setWantsKeys] = useState(false)
  // Kept here: the selection bar disappears together with the rows that are deleted.
  const [bulk, setBulk] = useState<Bulk & { onDone: () => void }>()
  // Everything else waits for the rows.
  const hasRows = query.isSuccess && !query.isPlaceholderData
  const count = useCount(projectId, table, view.selection, hasRows)
  const metadataKeys = useSuggestions(projectId, wantsKeys ? 'metadata' : undefined, '', 50)
  const scoreNames = useSuggestions(projectId, wantsKeys ? 'scores' : undefined, '', 50)
  const label = table === 'traces' ? 'Traces' : 'Observations'
  // Nothing has been found yet, which does not mean that there is nothing.
  const shown = query.searchedBack !== undefined && rows?.length === 0 ? undefined : rows
  return (
    <>
      <DataTable
        label={label}
        isMain
        columns={columnsOf(
          projectId,
          table,
          unite(dynamicKeys('metadata', state.shown), metadataKeys.data?.values),
          unite(dynamicKeys('scores', state.shown), scoreNames.data?.values),
          view.query.search.trim() !== '',
        )}
        rows={shown}
        rowId={(row) => rowId(table, row)}
        resetKey={view.resetKey}
        state={state}
        onStateChange={props.onStateChange}
        onOpen={urlState.open}
        hrefOf={(row) => href(urlState.pageOf(projectId, row, view.asOf))}
        onFilter={({ column, value }, isExcluded) => {
          const change = isExcluded ? excludeValue : includeValue
          view.setQuery(change(view.query, column, value, languageOf(table)))
        }}
        openId={urlState.openId}
        onClose={urlState.peek === undefined ? undefined : urlState.close}
        toolbar={props.toolbar}
        selectionBar={(ids, clear) => {
          const picked = new Set(ids)
          return (
            <BulkBar
              table={table}
              view={view}
              rows={(rows ?? []).filter((row) => picked.has(rowId(table, row)))}
              isAllLoaded={rows !== undefined && picked.size === rows.length}
              total={count.data?.exact ? count.data.count : undefined}
              onAsk={(asked) => setBulk({ ...asked, onDone: clear })}
            />
          )
        }}
        count={
          query.searchedBack === undefined ? (
            countText(table, count.data, rows)
          ) : (
            <>
              {formatExact(rows?.length ?? 0)} found, searched back to{' '}
              <Time at={query.searchedBack} absolute />
            </>
          )
        }
        {...pagedTableProps(query, label)}
        onColumnMenu={() => setWantsKeys(true)}
        error={
          query.isError &&
          shown === undefined && <LoadError title={`Couldn’t load ${label}`} query={query} />
        }
        empty={
          <NoRows
            projectId={projectId}
            table={table}
            view={view}
            onAllEnvironments={() => changeView({ environment: undefined })}
          />
        }
      />
      {bulk && (
        <Suspense fallback={null}>
          <BulkDialog
            projectId={projectId}
            table={table}
            kind={bulk.kind}
            target={bulk.target}
            count={bulk.count}
            onClose={(isDone) => {
              setBulk(undefined)
              if (isDone) bulk.onDone()
            }}
          />
        </Suspense>
      )}
    </>
  )
}

/** The keys of visible columns, and those that occur in the project. */
function unite(shown: readonly string[], known: readonly { value: string }[] | undefined) {
  return [...new Set([...shown, ...(known ?? []).map(({ value }) => value)])]
}

function countText(
  table: Table,
  count: { count: number; exact: boolean } | undefined,
  rows: readonly Row[] | undefined,
): string | undefined {
  if (!count) return rows === undefined ? '' : undefined
  return `${count.exact ? '' : 'at least '}${countOf(count.count, table.slice(0, -1))}`
}
