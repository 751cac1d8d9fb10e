import { useEffect, useState } from 'react'
import { workerAddress } from '@/lib/workerAddress'
import type { Graph } from '../model/graph'
import type { Layout, LayoutQuestion } from '../model/layout'
// Vite makes this export.
// oxlint-disable-next-line import/default
import workerScript from '../workers/layoutWorker?worker&url'

export type LaidOut = { graph: Graph; layout: Layout }

/** A graph with its layout, which a worker makes; undefined until it is there. */
export function useLayout(graph: Graph | undefined): LaidOut | undefined {
  const [laidOut, setLaidOut] = useState<LaidOut>()
  // A worker is outside of React.
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
  // While a trace grows, the last picture stays until the next is there.
  return graph && laidOut
}
