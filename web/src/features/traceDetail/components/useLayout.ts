import { useEffect, useState } from 'react'
import { startWorker } from '@/shared/lib/startWorker'
import type { Graph } from '../model/graph'
import type { Layout, LayoutQuestion } from '../model/layout'
// Vite makes this export.
// oxlint-disable-next-line import/default
import workerScript from '../workers/layoutWorker?worker&url'

export type LaidOut = { graph: Graph; layout: Layout }

export type LayoutState =
  | { kind: 'arranging' }
  | { kind: 'cancelled' }
  /** The worker's code is missing, or it failed. */
  | { kind: 'failed' }
  | { kind: 'ready'; laidOut: LaidOut }

/** A graph with its layout, which a worker computes. Cancelling ends the worker. */
export function useLayout(graph: Graph) {
  const [state, setState] = useState<LayoutState>({ kind: 'arranging' })
  const [isWanted, setWanted] = useState(true)
  // Workers are outside React.
  useEffect(() => {
    if (!isWanted || graph.nodes.length === 0) return
    const worker = startWorker<LayoutQuestion, Layout>(
      workerScript,
      (layout) => setState({ kind: 'ready', laidOut: { graph, layout } }),
      () => setState({ kind: 'failed' }),
    )
    worker.ask({
      count: graph.nodes.length,
      edges: graph.edges.map(({ from, to }) => ({ from, to })),
    })
    return worker.stop
  }, [graph, isWanted])
  return {
    // While a trace grows, the last layout stays until the next one is ready.
    state: isWanted ? state : ({ kind: 'cancelled' } satisfies LayoutState),
    cancel: () => setWanted(false),
    start: () => setWanted(true),
  }
}
