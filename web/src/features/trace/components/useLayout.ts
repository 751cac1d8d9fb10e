import { useEffect, useState } from 'react'
import { workerAddress } from '@/lib/workerAddress'
import type { Graph } from '../model/graph'
import type { Layout, LayoutQuestion } from '../model/layout'
// Vite makes this export.
// oxlint-disable-next-line import/default
import workerScript from '../workers/layoutWorker?worker&url'

export type LaidOut = { graph: Graph; layout: Layout }

/** A graph with its layout, which a worker computes; undefined until then. */
export function useLayout(graph: Graph | undefined): LaidOut | undefined {
  const [laidOut, setLaidOut] = useState<LaidOut>()
  // Workers are outside React.
  useEffect(() => {
    if (!graph) return
    const worker = new Worker(workerAddress(workerScript), { type: 'module' })
    worker.addEventListener('message', ({ data }: MessageEvent<Layout>) =>
      setLaidOut({ graph, layout: data }),
    )
    const question: LayoutQuestion = {
      count: graph.nodes.length,
      edges: graph.edges.map(({ from, to }) => ({ from, to })),
    }
    // oxlint-disable-next-line unicorn/require-post-message-target-origin
    worker.postMessage(question)
    return () => worker.terminate()
  }, [graph])
  // While a trace grows, the last layout stays until the next one is ready.
  return graph && laidOut
}
