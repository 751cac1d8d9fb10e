import { Maximize, ZoomIn, ZoomOut } from 'lucide-react'
import {
  useId,
  useMemo,
  useRef,
  useState,
  type KeyboardEvent,
  type PointerEvent,
  type ReactNode,
} from 'react'
import { cx } from '@/shared/lib/cx'
import { countOf, formatExact } from '@/shared/lib/format'
import {
  Button,
  Callout,
  EmptyState,
  ErrorCount,
  IconButton,
  MissingCode,
  ObservationType,
  Skeleton,
  Spinner,
} from '@/shared/ui'
import { buildGraph, rule, type Graph, type GraphNode } from '../model/graph'
import { nodeHeight, nodeWidth } from '../model/graphSize'
import type { Tree } from '../model/tree'
import { useLayout, type LaidOut, type LayoutState } from './useLayout'

type AgentGraphProps = { tree: Tree; selected: number; onSelect: (row: number) => void }

/** The steps of a trace and their sequence. Clicking a step selects its runs, one after another. */
export function AgentGraph({ tree, selected, onSelect }: AgentGraphProps) {
  const graph = useMemo(() => buildGraph(tree), [tree])
  const { state, cancel, start } = useLayout(graph)
  if (graph.nodes.length === 0)
    return <EmptyState title="Nothing to draw">The trace contains only events.</EmptyState>
  return (
    <div className="flex min-h-0 min-w-0 flex-1 flex-col gap-2 p-3">
      <p className="text-sm text-text-3">
        {rule}
        {graph.hasAll && ' This trace has none of these, so all of its observations are drawn.'}
      </p>
      <Grouping graph={graph} />
      <Drawing state={state} onCancel={cancel} onStart={start}>
        {(laidOut) => <Picture laidOut={laidOut} selected={selected} onSelect={onSelect} />}
      </Drawing>
    </div>
  )
}

/** What is drawn of a trace that has too much for a picture. */
function Grouping({ graph: { grouping, names, nodes, leftOut } }: { graph: Graph }) {
  if (grouping === 'names' && leftOut === 0) return null
  const told = [
    grouping !== 'names' &&
      `The ${formatExact(names)} names of this trace are drawn as ${formatExact(nodes.length)}: those that differ only in numbers are one (#)${
        grouping === 'rest' ? ', and the rarest of each type are put together as “Other names”' : ''
      }.`,
    leftOut > 0 &&
      `${countOf(leftOut, 'arrow')} between steps that seldom follow each other ${
        leftOut === 1 ? 'is' : 'are'
      } left out.`,
  ]
  return <Callout title="A summary of a large trace">{told.filter(Boolean).join(' ')}</Callout>
}

type DrawingProps = {
  state: LayoutState
  onCancel: () => void
  onStart: () => void
  children: (laidOut: LaidOut) => ReactNode
}

function Drawing({ state, onCancel, onStart, children }: DrawingProps) {
  switch (state.kind) {
    case 'failed':
      return <MissingCode />
    case 'cancelled':
      return (
        <EmptyState title="Not drawn" action={<Button onPress={onStart}>Draw the graph</Button>}>
          Statistics lists the observations of the trace by name.
        </EmptyState>
      )
    case 'arranging':
      return (
        <div className="relative">
          <Skeleton className="h-80 w-full" />
          <div className="absolute inset-0 flex items-center justify-center gap-2 text-text-2">
            <Spinner /> Arranging the graph
            <Button size="sm" onPress={onCancel}>
              Cancel
            </Button>
          </div>
        </div>
      )
    case 'ready':
      return children(state.laidOut)
  }
}

const zooms = { min: 0.2, max: 2, step: 1.25 }
const within = (zoom: number) => Math.min(zooms.max, Math.max(zooms.min, zoom))

type PictureProps = { laidOut: LaidOut; selected: number; onSelect: (row: number) => void }

function Picture({ laidOut: { graph, layout }, selected, onSelect }: PictureProps) {
  const scroller = useRef<HTMLDivElement>(null)
  const [zoom, setZoom] = useState(1)
  const arrow = useId()
  const change = (factor: number) => setZoom((before) => within(before * factor))
  const fit = () => {
    const box = scroller.current
    if (!box) return
    setZoom(within(Math.min(box.clientWidth / layout.width, box.clientHeight / layout.height, 1)))
  }
  const onKey = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    if (event.key === '+' || event.key === '=') change(zooms.step)
    else if (event.key === '-') change(1 / zooms.step)
    else if (event.key === '0') fit()
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  const drag = useDrag(scroller)
  return (
    <div className="relative flex min-h-0 flex-1 flex-col">
      <div className="z-bar absolute top-1 right-1 flex rounded-md border border-border bg-surface-0">
        <IconButton
          size="sm"
          label="Zoom out (−)"
          icon={<ZoomOut aria-hidden />}
          onPress={() => change(1 / zooms.step)}
        />
        <IconButton
          size="sm"
          label="Zoom in (+)"
          icon={<ZoomIn aria-hidden />}
          onPress={() => change(zooms.step)}
        />
        <IconButton
          size="sm"
          label="Show all of it (0)"
          icon={<Maximize aria-hidden />}
          onPress={fit}
        />
      </div>
      {/* A region that scrolls has to be reachable by keyboard; the arrow keys then scroll it. */}
      {/* oxlint-disable jsx-a11y/no-noninteractive-tabindex jsx-a11y/no-noninteractive-element-interactions */}
      <div
        ref={scroller}
        tabIndex={0}
        role="region"
        aria-label="Graph"
        onKeyDown={onKey}
        {...drag}
        className="h-[60vh] min-h-60 flex-1 overflow-auto rounded-md border border-border bg-surface-1"
      >
        {/* oxlint-enable */}
        <div
          className="relative mx-auto"
          style={{ width: layout.width * zoom, height: layout.height * zoom }}
        >
          <div
            className="absolute top-0 left-0 origin-top-left"
            style={{ width: layout.width, height: layout.height, transform: `scale(${zoom})` }}
          >
            <svg
              aria-hidden
              width={layout.width}
              height={layout.height}
              className="absolute inset-0 text-text-3"
            >
              <defs>
                <marker
                  id={arrow}
                  viewBox="0 0 8 8"
                  refX="7"
                  refY="4"
                  markerWidth="7"
                  markerHeight="7"
                  orient="auto"
                >
                  <path d="M0 0 8 4 0 8z" className="fill-text-3" />
                </marker>
              </defs>
              {graph.edges.map(({ from, to, count }, at) => {
                const points = layout.edges[at] ?? []
                const middle = points[Math.floor(points.length / 2)]
                return (
                  <g key={`${from} ${to}`}>
                    <polyline
                      points={points.map(({ x, y }) => `${x},${y}`).join(' ')}
                      className="fill-none stroke-current"
                      strokeWidth={Math.min(1 + Math.log2(count) / 2, 4)}
                      markerEnd={`url(#${arrow})`}
                    />
                    {count > 1 && middle && (
                      <text
                        x={middle.x + 6}
                        y={middle.y}
                        className="fill-text-2 text-xs tabular-nums"
                      >
                        ×{count}
                      </text>
                    )}
                  </g>
                )
              })}
            </svg>
            <ul aria-label="Observations">
              {graph.nodes.map((node) => {
                const { x, y } = layout.nodes[node.id] ?? { x: 0, y: 0 }
                return (
                  <li
                    key={node.id}
                    className="absolute"
                    style={{
                      left: x - nodeWidth / 2,
                      top: y - nodeHeight / 2,
                      width: nodeWidth,
                      height: nodeHeight,
                    }}
                  >
                    <Step node={node} selected={selected} onSelect={onSelect} />
                  </li>
                )
              })}
            </ul>
          </div>
        </div>
      </div>
    </div>
  )
}

type StepProps = { node: GraphNode; selected: number; onSelect: (row: number) => void }

function Step({ node, selected, onSelect }: StepProps) {
  const place = node.rows.indexOf(selected)
  const next = node.rows[(place + 1) % node.rows.length]
  return (
    <button
      type="button"
      aria-pressed={place >= 0}
      onClick={() => next !== undefined && onSelect(next)}
      className={cx(
        'flex size-full flex-col justify-center gap-0.5 rounded-md border px-2 text-left',
        place >= 0
          ? 'border-accent bg-accent-soft'
          : 'border-border bg-surface-0 hover:border-text-3',
      )}
    >
      <span className="flex min-w-0 items-center gap-1.5">
        <ObservationType type={node.type} hideLabel />
        <bdi className="min-w-0 flex-1 truncate">{node.name.slice(0, 200) || 'unnamed'}</bdi>
        <ErrorCount count={node.errors} />
      </span>
      <span className="tabular text-xs text-text-3">
        {node.rows.length > 1 &&
          (place >= 0
            ? `${place + 1} of ${node.rows.length}`
            : `×${formatExact(node.rows.length)}`)}
        {node.rows.length === 1 && node.type.toLowerCase()}
      </span>
    </button>
  )
}

/** Scrolls by dragging, except on a step. */
function useDrag(scroller: React.RefObject<HTMLDivElement | null>) {
  const from = useRef<{ x: number; y: number; left: number; top: number }>(undefined)
  const end = () => {
    from.current = undefined
  }
  return {
    onPointerDown: (event: PointerEvent) => {
      const box = scroller.current
      const isOnStep = event.target instanceof Element && event.target.closest('button') !== null
      if (!box || isOnStep || event.pointerType !== 'mouse' || event.button !== 0) return
      from.current = {
        x: event.clientX,
        y: event.clientY,
        left: box.scrollLeft,
        top: box.scrollTop,
      }
      box.setPointerCapture(event.pointerId)
    },
    onPointerMove: (event: PointerEvent) => {
      const box = scroller.current
      if (!box || !from.current) return
      const { x, y, left, top } = from.current
      box.scrollTo(left - (event.clientX - x), top - (event.clientY - y))
    },
    onPointerUp: end,
    onPointerCancel: end,
  }
}
