import { graphlib, layout as place } from '@dagrejs/dagre'
import { nodeHeight, nodeWidth } from './graphSize'

export type LayoutQuestion = { count: number; edges: { from: number; to: number }[] }

export type Layout = {
  /** The centres of the nodes. */
  nodes: { x: number; y: number }[]
  /** The points of the edges, in the order of the input. */
  edges: { x: number; y: number }[][]
  width: number
  height: number
}

/** Arranges a graph in layers from top to bottom. */
export function layout({ count, edges }: LayoutQuestion): Layout {
  const graph = new graphlib.Graph()
  graph.setGraph({ rankdir: 'TB', nodesep: 28, ranksep: 44, marginx: 16, marginy: 16 })
  for (let id = 0; id < count; id++)
    graph.setNode(String(id), { width: nodeWidth, height: nodeHeight })
  for (const { from, to } of edges) graph.setEdge(String(from), String(to), {})
  place(graph)
  const { width = 0, height = 0 } = graph.graph() as { width?: number; height?: number }
  const point = ({ x, y }: { x: number; y: number }) => ({ x, y })
  return {
    nodes: Array.from({ length: count }, (_, id) =>
      point(graph.node(String(id)) as unknown as { x: number; y: number }),
    ),
    edges: edges.map(({ from, to }) => {
      const { points } = graph.edge(String(from), String(to)) as unknown as {
        points: { x: number; y: number }[]
      }
      return points.map(point)
    }),
    width,
    height,
  }
}
