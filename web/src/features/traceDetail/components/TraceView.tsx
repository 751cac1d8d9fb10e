import { cx } from '@/shared/lib/cx'
import { FoundText } from '@/shared/io'
import { useProject, useSession } from '@/shared/currentUser'
import { ClipboardPen } from 'lucide-react'
import {
  lazy,
  Suspense,
  useDeferredValue,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
} from 'react'
import {
  Button,
  Callout,
  SegmentedControl,
  Skeleton,
  type Option,
  Splitter,
  useSplit,
} from '@/shared/ui'
import { usePrefetchDetail } from '../api/useDetail'
import { nameOf, type Tree } from '../model/tree'
import { traceRow } from '../model/visible'
import type { WireTree } from '../model/wire'
import type { ChangeTrace, Tab, TraceState } from '../state'
import { DetailPane } from './DetailPane'
import { FindBar } from './FindBar'
import { Log } from './Log'
import { ScoringPane } from './ScoringPane'
import { Statistics } from './Statistics'
import { Transcript } from './Transcript'
import { TreePane } from './TreePane'
import { TreeToolbar } from './TreeToolbar'
import { useFoundMarks } from './useFoundMarks'
import { useHits } from './useHits'
import { useTraceKeys } from './useTraceKeys'
import { useTreeControls } from './useTreeControls'

const AgentGraph = lazy(async () => ({ default: (await import('./AgentGraph')).AgentGraph }))

type TraceViewProps = {
  projectId: string
  wire: WireTree
  tree: Tree
  state: TraceState
  onChange: ChangeTrace
  isPage: boolean
  /** Whether it can be scored here; if not, what scores it takes a part of the height. */
  isScored: boolean
  /** Goes to the trace before or after this one in the list that it comes from. */
  onWalk: ((by: 1 | -1) => void) | undefined
}

/** The tree on the left, the selection on the right; stacked on narrow screens. */
export function TraceView(props: TraceViewProps) {
  const { projectId, wire, tree, state, onChange, isPage, onWalk } = props
  const { can } = useProject()
  const isVisitor = useSession().user === null
  const mayScore = props.isScored && !isVisitor && can('scores:write')
  const isScoring = mayScore && state.isScoring === true
  const root = useRef<HTMLDivElement>(null)
  const detail = useRef<HTMLDivElement>(null)
  const split = useSplit('almanac.trace.split', { min: 20, max: 80, initial: 45 })
  const [isFinding, setFinding] = useState(state.find !== undefined)
  const [asked, setAsked] = useState(0)
  const known = state.observation === undefined ? traceRow : tree.rowOf.get(state.observation)
  const selected = known ?? traceRow
  // Rows follow the keys immediately; the details render when there is time.
  const shown = useDeferredValue(selected)
  // The most expensive part renders after the tree, which people look at first.
  const isTreeShown = useDeferredValue(true, false)
  const prefetchDetail = usePrefetchDetail(projectId, wire.traceId)
  const { tab, view } = state
  const hits = useHits(projectId, wire.traceId, tree, isFinding ? state.find : undefined)
  const controls = useTreeControls({
    tree,
    selected,
    hasTimeline: view === 'timeline',
    onSelect: (row, isStep) => {
      if (subjectOf(tab) === 'preview') prefetchDetail(tree.ids[row])
      onChange({ observation: tree.ids[row] }, isStep)
    },
    onFind: () => {
      setFinding(true)
      setAsked(asked + 1)
    },
    onScore: mayScore ? () => onChange({ isScoring: !state.isScoring }, true) : undefined,
  })
  useTraceKeys(root, isPage, controls.act)
  const found = isFinding ? (state.find ?? '') : ''
  useFoundMarks(detail, found, `${shown} ${tab}`)
  /** What a link searches for, if it says nothing of where. */
  const wanted = useRef(state.observation === undefined ? state.find : undefined)
  const toFirstHit = useEffectEvent((row: number) => {
    if (wanted.current === undefined) return
    if (state.find === wanted.current && state.observation === undefined) controls.select(row)
    wanted.current = undefined
  })
  const [firstHit] = hits.rows
  // The hits arrive from outside.
  useEffect(() => {
    if (firstHit !== undefined) toFirstHit(firstHit)
  }, [firstHit])
  const onSelect = (row: number) => {
    controls.select(row, false)
    // Where the details are below the tree, scroll them into view.
    if (root.current && root.current.clientWidth < stackedBelow)
      detail.current?.scrollIntoView({ block: 'start' })
  }
  return (
    <div ref={root} className="@container flex min-h-0 min-w-0 flex-1 flex-col">
      {isFinding && (
        <FindBar
          asked={asked}
          text={state.find ?? ''}
          hits={hits}
          tree={tree}
          selected={selected}
          onText={(find) => onChange({ find: find === '' ? undefined : find }, true)}
          onSelect={(row) => controls.select(row)}
          onClose={() => {
            setFinding(false)
            onChange({ find: undefined }, true)
          }}
        />
      )}
      <div className="flex min-h-0 min-w-0 flex-1 flex-col @5xl:flex-row">
        <div
          className={cx(
            'flex min-h-0 min-w-0 flex-1 flex-col @3xl:flex-row',
            // A page scrolls as a whole, except that the strip with the scores is below what scrolls, and not over it.
            (isScoring || !isPage) && '@max-3xl:overflow-y-auto',
          )}
        >
          <section
            aria-label="Tree"
            className={cx(
              'flex min-w-0 shrink-0 flex-col border-b border-border @3xl:h-auto @3xl:w-(--tree-width) @3xl:border-b-0',
              isScoring || !props.isScored ? 'h-[18vh]' : 'h-[45vh]',
            )}
            style={{ '--tree-width': `${split.percent}%` } as React.CSSProperties}
          >
            <TreeToolbar
              count={tree.count}
              errors={wire.trace.errors}
              view={view}
              onView={(next) => onChange({ view: next })}
              controls={controls}
            />
            <TreePane
              tree={tree}
              traceName={wire.trace.name ?? 'Trace'}
              view={view}
              visible={controls.visible}
              folded={controls.folded}
              selected={selected}
              path={controls.path}
              hits={hits.byRow}
              scale={controls.scale}
              window={controls.window}
              onWindow={controls.setWindow}
              onSelect={onSelect}
              onFold={controls.fold}
            />
          </section>
          <Splitter
            label="Width of the tree"
            split={split}
            pane="left"
            className="hidden @3xl:block"
          />
          <section
            ref={detail}
            aria-label="Detail"
            className="flex min-w-0 flex-1 flex-col @3xl:min-h-0 @3xl:overflow-y-auto"
          >
            <div className="flex shrink-0 flex-wrap items-center gap-2 border-b border-border px-3 py-1">
              <SegmentedControl
                label="What to show"
                options={subjects}
                value={subjectOf(tab)}
                onChange={(subject) => onChange({ tab: subject })}
              />
              {mayScore && (
                <Button
                  size="sm"
                  icon={<ClipboardPen aria-hidden />}
                  aria-pressed={isScoring}
                  className="ml-auto"
                  onPress={() => onChange({ isScoring: !state.isScoring }, true)}
                >
                  Score (S)
                </Button>
              )}
            </div>
            {known === undefined && (
              <div className="p-3">
                <Callout tone="warning" title="This trace has no such observation">
                  <span className="break-all">{state.observation?.slice(0, 500)}</span> may not have
                  arrived yet, or belongs to another trace.
                </Callout>
              </div>
            )}
            {isTreeShown && (
              // Values without a match need not be read in full to be searched.
              <FoundText value={hits.byRow.has(shown) ? found : ''}>
                <Subject
                  projectId={projectId}
                  wire={wire}
                  tree={tree}
                  row={shown}
                  tab={tab}
                  onChange={onChange}
                  onSelect={(row) => controls.select(row, false)}
                />
              </FoundText>
            )}
          </section>
        </div>
        {isScoring && (
          <ScoringPane
            projectId={projectId}
            traceId={wire.traceId}
            observationId={selected === traceRow ? undefined : tree.ids[selected]}
            name={selected === traceRow ? (wire.trace.name ?? '') : nameOf(tree, selected)}
            environment={wire.trace.environment}
            onWalk={onWalk}
            onClose={() => onChange({ isScoring: false }, true)}
          />
        )}
      </div>
    </div>
  )
}

/** 48rem: from this width on, the panes are side by side. */
const stackedBelow = 768

type SubjectTab = 'preview' | 'transcript' | 'log' | 'graph' | 'statistics'

const subjects: Option<SubjectTab>[] = [
  { id: 'preview', label: 'Details' },
  { id: 'transcript', label: 'Transcript' },
  { id: 'log', label: 'Log' },
  { id: 'graph', label: 'Graph' },
  { id: 'statistics', label: 'Statistics' },
]

function subjectOf(tab: Tab): SubjectTab {
  switch (tab) {
    case 'transcript':
    case 'log':
    case 'graph':
    case 'statistics':
      return tab
    default:
      return 'preview'
  }
}

type SubjectProps = {
  projectId: string
  wire: WireTree
  tree: Tree
  row: number
  tab: Tab
  onChange: ChangeTrace
  onSelect: (row: number) => void
}

function Subject({ projectId, wire, tree, row, tab, onChange, onSelect }: SubjectProps) {
  switch (tab) {
    case 'transcript':
      return (
        <Transcript projectId={projectId} traceId={wire.traceId} tree={tree} onSelect={onSelect} />
      )
    case 'log':
      return (
        <Log
          projectId={projectId}
          traceId={wire.traceId}
          tree={tree}
          selected={row}
          onSelect={onSelect}
        />
      )
    case 'graph':
      return (
        <Suspense fallback={<Skeleton className="m-3 h-80" />}>
          <AgentGraph tree={tree} selected={row} onSelect={onSelect} />
        </Suspense>
      )
    case 'statistics':
      return <Statistics tree={tree} onSelect={onSelect} />
    default:
      return (
        <DetailPane
          projectId={projectId}
          wire={wire}
          tree={tree}
          row={row}
          tab={tab}
          onTab={(next) => onChange({ tab: next }, true)}
          onScore={() => onChange({ isScoring: true }, true)}
        />
      )
  }
}
