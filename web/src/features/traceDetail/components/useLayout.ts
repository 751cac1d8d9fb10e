import { useEffect, useState } from 'react'
import { startWorker } from '@/shared/lib/startWorker'
import type { Graph } from '../model/graph'
import type { Layout, LayoutQuestion } from '../model/layout'
// Vite makes this export.
// oxlint-disable-next-line import/default
import workerScript from '../workers/layoutWorker?worker&url'

export type LaidOut = { graph: Graph; layout: Layout }

/** A graph with its layout, which a worker computes; undefined until then. 'failed' if the worker's code is missing. */
export function useLayout(graph: Graph | undefined): LaidOut | 'failed' | undefined {
  const [laidOut, setLaidOut] = useState<LaidOut | 'failed'>()
  // Workers are outside React.
  useEffect(() => {
    if (!graph) return
    const worker = startWorker<LayoutQuestion, Layout>(
      workerScript,
      (layout) => setLaidOut({ graph, layout }),
      () => setLaidOut('failed'),
    )
    worker.ask({
      count: graph.nodes.length,
      edges: graph.edges.map(({ from, to }) => ({ from, to })),
    })
    return worker.stop
  }, [graph])
  // While a trace grows, the last layout stays until the next one is ready.
  return graph && laidOut
}
