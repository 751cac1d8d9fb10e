import { Link } from '@tanstack/react-router'
import { Plug } from 'lucide-react'
import { useEffect, useEffectEvent, useState } from 'react'
import { useUser } from '@/shared/currentUser'
import { Button, Callout, EmptyState, linkClass, toast } from '@/shared/ui'
import { useDatasetItems } from '../api/useDatasetRows'
import type { Models } from '@/shared/llmModels'
import { useRuns, type NewRun } from '../api/useRuns'
import { requestOf } from '../model/compile'
import { writeDraft, type Draft } from '../model/draft'
import { rowOf } from '../model/rows'
import { copyOf, letterOf, mostPanes, type Pane, type State } from '../model/state'
import { namesIn, placeholdersIn } from '../model/variables'
import { PaneView } from './PaneView'
import { RowsTable } from './RowsTable'
import { Toolbar } from './Toolbar'
import { VariablesPanel } from './VariablesPanel'

type WorkspaceProps = {
  projectId: string
  models: Models
  start: Draft
  /** What is to be known about what was opened. */
  notes: readonly string[]
  /** What was here before something else was opened. */
  aside: State | undefined
  /** Called when the tab has kept what is on the page. */
  onKept: () => void
  onSaved: (id: string | undefined) => void
}

/** The windows, their variables, and what can be done with all of them. */
export function Workspace(props: WorkspaceProps) {
  const { projectId, models } = props
  const user = useUser()
  const [draft, setDraft] = useState(props.start)
  const [aside, setAside] = useState(props.aside)
  const [notes, setNotes] = useState(props.notes)
  const [problems, setProblems] = useState<Record<string, string>>({})
  const { state } = draft
  const runs = useRuns(projectId)
  const names = namesIn(state)
  const items = useDatasetItems(projectId, state.dataset)
  const rows = items.data?.map((item) => rowOf(item, names, state.variables))

  const update = (change: (state: State) => State) =>
    setDraft((before) => ({ ...before, state: change(before.state) }))
  const updatePane = (id: string, change: (pane: Pane) => Pane) =>
    update((before) => ({
      ...before,
      panes: before.panes.map((pane) => (pane.id === id ? change(pane) : pane)),
    }))

  const run = (chosen: readonly Pane[]) => {
    const found: Record<string, string> = {}
    const wanted: NewRun[] = []
    const valueSets =
      state.dataset !== null && rows
        ? rows
            .filter(({ problem }) => problem === undefined)
            .map(({ id, values }) => ({ rowId: id, values }))
        : [{ rowId: null, values: state.variables }]
    for (const pane of chosen) {
      try {
        for (const { rowId, values } of valueSets)
          for (let n = 0; n < state.repeat; n++)
            wanted.push({ paneId: pane.id, rowId, request: requestOf(pane, state, values) })
        if (valueSets.length === 0) found[pane.id] = 'No item of the dataset has the variables.'
      } catch (error) {
        found[pane.id] = error instanceof Error ? error.message : String(error)
      }
    }
    setProblems(found)
    runs.start(wanted.filter(({ paneId }) => found[paneId] === undefined))
  }

  // The storage of the tab is outside React. Typing does not wait for it.
  const keep = useEffectEvent((kept: Draft) => {
    if (!writeDraft(user.id, projectId, kept))
      toast('This playground is too large to survive a reload. Save it.')
    props.onKept()
  })
  useEffect(() => {
    const timer = setTimeout(() => keep(draft), 300)
    return () => clearTimeout(timer)
  }, [draft])
  const flush = useEffectEvent(() => void writeDraft(user.id, projectId, draft))
  useEffect(() => {
    const onHide = () => flush()
    addEventListener('pagehide', onHide)
    return () => {
      removeEventListener('pagehide', onHide)
      flush()
    }
  }, [])
  const runAll = () => run(state.panes)
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
    if (document.querySelector('[role=dialog]')) return
    event.preventDefault()
    event.stopPropagation()
    runAll()
  })
  // Before editors take the key for a new line.
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKey(event)
    addEventListener('keydown', listener, { capture: true })
    return () => removeEventListener('keydown', listener, { capture: true })
  }, [])

  const isRunning = runs.runs.some(({ status }) => status === 'running')
  const isTable = state.dataset !== null
  return (
    <div className="flex min-w-0 flex-col gap-3">
      <Toolbar
        projectId={projectId}
        draft={draft}
        isRunning={isRunning}
        onRun={runAll}
        onStop={() => runs.cancel(() => true)}
        onUpdate={update}
        onReplace={(next) => {
          runs.start([])
          for (const pane of state.panes) runs.forget(pane.id)
          setDraft(next)
          setNotes([])
          props.onSaved(next.saved?.id)
        }}
        onSaved={(next) => {
          setDraft((before) => ({ ...before, saved: next }))
          props.onSaved(next.id)
        }}
      />
      {models.connections.length === 0 && (
        <EmptyState
          icon={<Plug aria-hidden />}
          title="No model can be called yet"
          action={
            <Link
              to="/project/$projectId/settings/llm-connections"
              params={{ projectId }}
              className={linkClass}
            >
              LLM connections
            </Link>
          }
        >
          An admin of the project connects a provider in the settings.
        </EmptyState>
      )}
      {aside && (
        <Callout
          action={
            <Button
              size="sm"
              onPress={() => {
                setDraft({ state: aside })
                setAside(undefined)
                setNotes([])
              }}
            >
              Bring it back
            </Button>
          }
        >
          What was in your playground before was put aside.
        </Callout>
      )}
      {notes.map((note) => (
        <Callout key={note} tone="warning">
          {note}
        </Callout>
      ))}
      <VariablesPanel
        projectId={projectId}
        names={names}
        placeholders={placeholdersIn(state)}
        state={state}
        onUpdate={update}
      />
      <div className="flex min-w-0 flex-col gap-3 md:flex-row md:items-start md:overflow-x-auto md:pb-2">
        {state.panes.map((pane, index) => (
          <PaneView
            key={pane.id}
            projectId={projectId}
            letter={letterOf(index)}
            models={models}
            pane={pane}
            variables={names}
            problem={problems[pane.id]}
            runs={isTable ? [] : runs.runs.filter(({ paneId }) => paneId === pane.id)}
            isRunning={runs.runs.some(
              (each) => each.paneId === pane.id && each.status === 'running',
            )}
            isOnly={state.panes.length === 1}
            onChange={(change) => updatePane(pane.id, change)}
            onRun={() => run([pane])}
            onRunWith={(changed) => {
              updatePane(pane.id, () => changed)
              run([changed])
            }}
            onStop={(runId) =>
              runs.cancel((each) =>
                runId === undefined ? each.paneId === pane.id : each.id === runId,
              )
            }
            onCopy={
              state.panes.length < mostPanes
                ? () =>
                    update((before) => ({
                      ...before,
                      panes: before.panes.toSpliced(index + 1, 0, copyOf(pane)),
                    }))
                : undefined
            }
            onRemove={() => {
              runs.forget(pane.id)
              update((before) => ({
                ...before,
                panes: before.panes.filter(({ id }) => id !== pane.id),
              }))
            }}
          />
        ))}
      </div>
      {isTable && (
        <RowsTable
          projectId={projectId}
          dataset={state.dataset ?? ''}
          query={items}
          rows={rows}
          names={names}
          panes={state.panes}
          runs={runs.runs}
          onStop={(runId) => runs.cancel(({ id }) => id === runId)}
        />
      )}
    </div>
  )
}
