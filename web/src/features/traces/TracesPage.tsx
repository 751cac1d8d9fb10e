import { useNavigate, useSearch } from '@tanstack/react-router'
import { RefreshCw } from 'lucide-react'
import { useState } from 'react'
import { LoadError } from '@/features/failures'
import { useProject } from '@/features/session'
import { useViewSearch } from '@/features/view'
import { formatExact } from '@/lib/format'
import { projectPath } from '@/lib/paths'
import { DataTable, useTableState } from '@/table'
import { Callout, IconButton, Page } from '@/ui'
import { useCount } from './api/useCount'
import { useRows } from './api/useRows'
import { useSuggestions } from './api/useSuggestions'
import { useView } from './api/useView'
import { columnsOf } from './components/columns'
import { NoRows } from './components/NoRows'
import { QueryBar } from './components/QueryBar'
import { TableSwitch } from './components/TableSwitch'
import { dynamicKeys } from './model/columnIds'
import { observationRowId, rowId, type Row } from './model/rows'
import type { Table } from './model/view'
import type { TracesSearch } from './search'

/** The table of traces, or of observations, of a project. */
export function TracesPage({ table }: { table: Table }) {
  const { project } = useProject()
  const view = useView()
  const [state, setState] = useTableState()
  const [, changeView] = useViewSearch()
  const search: TracesSearch = useSearch({ strict: false })
  const navigate = useNavigate()
  const [wantsKeys, setWantsKeys] = useState(false)

  const rows = useRows(project.id, table, view.selection, state)
  const isThere = rows.isSuccess && !rows.isPlaceholderData
  // What is not rows waits for them.
  const count = useCount(project.id, table, view.selection, isThere)
  const metadataKeys = useSuggestions(project.id, wantsKeys ? 'metadata' : undefined, '', 50)
  const scoreNames = useSuggestions(project.id, wantsKeys ? 'scores' : undefined, '', 50)
  const columns = columnsOf(
    table,
    unite(dynamicKeys('metadata', state.shown), metadataKeys.data?.values),
    unite(dynamicKeys('scores', state.shown), scoreNames.data?.values),
  )

  const loaded = rows.data?.pages.flatMap((page) => page.rows)
  const openId =
    search.peek === undefined
      ? undefined
      : table === 'traces'
        ? search.peek
        : observationRowId(search.peek, search.observation ?? '')
  const open = (row: Row) =>
    void navigate({
      to: projectPath(project.id, `traces/${encodeURIComponent(row.traceId)}`),
      search: table === 'observations' ? { observation: row.id } : {},
    })

  return (
    <Page fill>
      <header className="flex flex-wrap items-center gap-2 pb-3">
        <title>{table === 'traces' ? 'Traces · Almanac' : 'Observations · Almanac'}</title>
        <h1 className="sr-only">{table === 'traces' ? 'Traces' : 'Observations'}</h1>
        <TableSwitch projectId={project.id} table={table} />
        <div className="order-last w-full min-w-0 md:order-none md:w-auto md:flex-1">
          <QueryBar projectId={project.id} query={view.query} onChange={view.setQuery} />
        </div>
        <IconButton
          label="Load again, up to now"
          icon={<RefreshCw aria-hidden />}
          onPress={view.refresh}
        />
      </header>
      {view.unknown.length > 0 && (
        <div className="pb-3">
          <Callout tone="warning" title="A part of this address is not understood and not applied">
            <code className="font-mono text-sm break-all">{view.unknown.join(', ')}</code>
          </Callout>
        </div>
      )}
      <DataTable
        label={table === 'traces' ? 'Traces' : 'Observations'}
        isMain
        columns={columns}
        rows={loaded}
        rowId={(row) => rowId(table, row)}
        state={state}
        onStateChange={setState}
        onOpen={open}
        openId={openId}
        isStale={rows.isPlaceholderData}
        count={countText(table, count.data, loaded?.length)}
        onNearEnd={
          rows.hasNextPage && !rows.isFetchingNextPage && !rows.isPlaceholderData
            ? () => void rows.fetchNextPage()
            : undefined
        }
        isLoadingMore={rows.isFetchingNextPage}
        onColumnMenu={() => setWantsKeys(true)}
        error={
          rows.isError &&
          loaded === undefined && (
            <LoadError
              title={
                table === 'traces'
                  ? 'Traces could not be loaded'
                  : 'Observations could not be loaded'
              }
              query={rows}
            />
          )
        }
        empty={
          <NoRows
            projectId={project.id}
            table={table}
            view={view}
            onAllEnvironments={() => changeView({ environment: undefined })}
          />
        }
      />
    </Page>
  )
}

/** Keys that are shown, and those that the project has. */
function unite(shown: readonly string[], known: readonly { value: string }[] | undefined) {
  return [...new Set([...shown, ...(known ?? []).map(({ value }) => value)])]
}

function countText(
  table: Table,
  count: { count: number; exact: boolean } | undefined,
  loaded: number | undefined,
): string | undefined {
  if (!count) return loaded === undefined ? '' : undefined
  const noun = count.count === 1 ? table.slice(0, -1) : table
  return `${count.exact ? '' : 'at least '}${formatExact(count.count)} ${noun}`
}
