import { ChartColumn, PanelLeft, RefreshCw, SlidersHorizontal } from 'lucide-react'
import { useState } from 'react'
import { Forbidden } from '@/shared/roles'
import { useOpenView, ViewMenu } from '@/shared/savedViews'
import { useProject } from '@/shared/currentUser'
import { cx } from '@/shared/lib/cx'
import { createPreference, usePreference } from '@/shared/lib/preference'
import { useTableState } from '@/shared/table'
import { Callout, Dialog, IconButton, Page, PageHeader } from '@/shared/ui'
import { useLive } from './api/useLive'
import { useRows } from './api/useRows'
import { useTracesUrlState } from './api/useTracesUrlState'
import { useTraceQuery } from './api/useTraceQuery'
import { Differences } from './components/Differences'
import { FacetPanel } from './components/FacetPanel'
import { GroupTable } from './components/GroupTable'
import { HistogramBar } from './components/HistogramBar'
import { LivePill } from './components/LivePill'
import { Peek } from './components/Peek'
import { TraceQueryBar } from './components/TraceQueryBar'
import { RowsTable } from './components/RowsTable'
import { ScrollReporter } from './components/ScrollReporter'
import { TableSwitch } from './components/TableSwitch'
import { Toolbar } from './components/Toolbar'
import { rowId } from './model/rows'
import type { Table } from './model/view'

const facetsPreference = createPreference('facets', ['open', 'folded'])

/** The traces or observations of a project, with everything that helps to find one. */
export function TracesPage({ table }: { table: Table }) {
  const { can } = useProject()
  if (can('traces:read')) return <Explorer table={table} />
  return (
    <Page>
      <PageHeader title={titles[table]} />
      <Forbidden doing={`see ${table}`} permission="traces:read" />
    </Page>
  )
}

const titles: Record<Table, string> = { traces: 'Traces', observations: 'Observations' }

function Explorer({ table }: { table: Table }) {
  const { project } = useProject()
  const view = useTraceQuery(table)
  const urlState = useTracesUrlState(table, view.query)
  const openView = useOpenView(project.id, table)
  const [state, setState] = useTableState()
  const [hasDrawer, setDrawer] = useState(false)
  // On a phone the rows come first: everything else above them is folded away.
  const [hasTools, setTools] = useState(false)
  const folded = hasTools ? '' : 'max-sm:hidden'
  const hasFacets = usePreference(facetsPreference) === 'open'

  const query = useRows(project.id, table, view.selection, state)
  // Counts, facets and charts wait for the rows and never hold them up.
  const hasRows = query.isSuccess && !query.isPlaceholderData
  const { rows, pill, onScroll } = useLive(project.id, table, view, state, {
    loaded: query.data?.pages.flatMap((page) => page.rows),
    loadedAt: query.dataUpdatedAt,
    isReloading: query.isRefetching,
    isOn: urlState.isLive && view.range.kind !== 'between' && urlState.group === undefined,
    isHeld: urlState.peek !== undefined,
    onReady: () => void query.refetch(),
  })
  const openIndex = rows?.findIndex((row) => rowId(table, row) === urlState.openId) ?? -1
  const walk = (by: 1 | -1) => {
    const next = rows?.[openIndex + by]
    if (next) urlState.open(next)
  }
  const title = titles[table]
  const toolbar = (
    <div className={cx('contents', folded)}>
      <ViewMenu projectId={project.id} table={table} open={openView} />
      <Toolbar projectId={project.id} table={table} view={view} urlState={urlState} />
    </div>
  )

  return (
    <div className="relative flex min-h-0 min-w-0 flex-1 overflow-hidden">
      <Page fill>
        <header className="flex flex-wrap items-start gap-2 pb-3">
          <title>{`${title} · Almanac`}</title>
          <h1 className="sr-only">{title}</h1>
          <IconButton
            label={hasFacets ? 'Hide facets' : 'Show facets'}
            icon={<PanelLeft aria-hidden />}
            onPress={() => facetsPreference.set(hasFacets ? 'folded' : 'open')}
            className="max-lg:hidden"
          />
          <TableSwitch projectId={project.id} table={table} />
          <div className="order-last w-full min-w-0 md:order-none md:w-auto md:flex-1">
            <TraceQueryBar
              projectId={project.id}
              table={table}
              query={view.query}
              onChange={view.setQuery}
            />
          </div>
          <IconButton
            label="Chart and tools"
            icon={<ChartColumn aria-hidden />}
            aria-expanded={hasTools}
            onPress={() => setTools(!hasTools)}
            className="ml-auto sm:hidden"
          />
          <IconButton
            label="Facets"
            icon={<SlidersHorizontal aria-hidden />}
            onPress={() => setDrawer(true)}
            className="sm:ml-auto lg:hidden"
          />
          <IconButton label="Refresh" icon={<RefreshCw aria-hidden />} onPress={view.refresh} />
        </header>
        {view.unknown.length > 0 && (
          <div className="pb-3">
            <Callout tone="warning" title="Part of this link couldn’t be read and was ignored">
              <code className="font-mono text-sm break-all">{view.unknown.join(', ')}</code>
            </Callout>
          </div>
        )}
        <div className="flex min-h-0 min-w-0 flex-1 gap-4">
          {hasFacets && (
            <aside
              aria-label="Facets"
              className="hidden w-48 shrink-0 overflow-x-hidden overflow-y-auto pr-1 lg:block"
            >
              <FacetPanel projectId={project.id} view={view} isEnabled={hasRows} />
            </aside>
          )}
          <div className="flex min-h-0 min-w-0 flex-1 flex-col">
            <div className={folded}>
              <HistogramBar
                projectId={project.id}
                view={view}
                isEnabled={hasRows}
                onCompare={(range) =>
                  range.kind === 'between' && urlState.compare({ kind: 'time', range })
                }
              />
            </div>
            {urlState.comparing ? (
              <Differences
                projectId={project.id}
                view={view}
                comparing={urlState.comparing}
                onNarrow={urlState.narrow}
                onClose={() => urlState.compare(undefined)}
              />
            ) : urlState.group !== undefined ? (
              <GroupTable
                projectId={project.id}
                view={view}
                by={urlState.group}
                toolbar={toolbar}
                onNarrow={urlState.narrow}
              />
            ) : (
              <ScrollReporter onScroll={onScroll}>
                <RowsTable
                  projectId={project.id}
                  table={table}
                  view={view}
                  urlState={urlState}
                  query={query}
                  rows={rows}
                  state={state}
                  onStateChange={setState}
                  toolbar={
                    <>
                      {toolbar}
                      {pill && <LivePill {...pill} />}
                    </>
                  }
                />
              </ScrollReporter>
            )}
          </div>
        </div>
        <Dialog title="Facets" isOpen={hasDrawer} onClose={() => setDrawer(false)}>
          {hasDrawer && <FacetPanel projectId={project.id} view={view} isEnabled={hasRows} />}
        </Dialog>
      </Page>
      {urlState.peek !== undefined && (
        <Peek
          projectId={project.id}
          traceId={urlState.peek}
          observationId={urlState.observation}
          find={urlState.find}
          list={urlState.listOf(view.asOf, urlState.observation)}
          scoring={urlState.scoring}
          onWalk={openIndex < 0 ? undefined : walk}
          onClose={urlState.close}
        />
      )}
    </div>
  )
}
