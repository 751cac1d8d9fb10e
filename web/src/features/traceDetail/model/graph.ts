import { mostEdges } from './graphSize'
import { groupSteps } from './graphGroups'
import { levelOf, typeOf, type Tree } from './tree'

/** Steps of the same type and name. */
export type GraphNode = {
  /** Its index among the nodes. */
  id: number
  type: string
  name: string
  /** The observations it represents, by start. */
  rows: number[]
  errors: number
}

export type GraphEdge = { from: number; to: number; count: number }

export type Graph = {
  nodes: GraphNode[]
  edges: GraphEdge[]
  /** Whether the trace has no steps, so that all observations except events count as steps. */
  hasAll: boolean
  /** What a node stands for: one name, names that differ only in numbers, or also all names that are rarer. */
  grouping: 'names' | 'patterns' | 'rest'
  /** The number of different names and types. */
  names: number
  /** The number of arrows that are not drawn, because others stand for more steps. */
  leftOut: number
}

const steps = new Set([
  'AGENT',
  'TOOL',
  'GENERATION',
  'RETRIEVER',
  'EMBEDDING',
  'GUARDRAIL',
  'EVALUATOR',
  'CHAIN',
])

/** The rule, as shown on the page. */
export const rule =
  'Agents, tools, model calls, retrievers, embeddings, guardrails, evaluators and chains are steps; spans and events between them are left out. Steps of one name and type are drawn once, with how often they ran. An arrow leads from a step to the one that began after it ended, or else from the step that it is part of.'

/** The graph of the steps of a trace. */
export function buildGraph(tree: Tree): Graph {
  const isStep = new Uint8Array(tree.count)
  let hasAll = true
  for (let row = 0; row < tree.count; row++)
    if (steps.has(typeOf(tree, row))) {
      isStep[row] = 1
      hasAll = false
    }
  if (hasAll)
    for (let row = 0; row < tree.count; row++) isStep[row] = typeOf(tree, row) === 'EVENT' ? 0 : 1

  const groups = groupSteps(tree, isStep)
  const nodes: GraphNode[] = []
  const known = new Map<string, GraphNode>()
  const nodeOf = new Int32Array(tree.count).fill(-1)
  /** The steps inside each step, by row; -1 for those inside none. */
  const within = new Map<number, number[]>()
  const above = new Int32Array(tree.count).fill(-1)
  for (let row = 0; row < tree.count; row++) {
    const parent = tree.parent[row] ?? -1
    if (parent >= 0) above[row] = isStep[parent] === 1 ? parent : (above[parent] ?? -1)
    if (isStep[row] !== 1) continue
    const { key, type, name } = groups.of(row)
    let node = known.get(key)
    if (!node) {
      node = { id: nodes.length, type, name, rows: [], errors: 0 }
      known.set(key, node)
      nodes.push(node)
    }
    node.rows.push(row)
    if (levelOf(tree, row) === 'ERROR') node.errors++
    nodeOf[row] = node.id
    const group = above[row] ?? -1
    const siblings = within.get(group)
    if (siblings) siblings.push(row)
    else within.set(group, [row])
  }

  const edges = new Map<number, GraphEdge>()
  const connect = (from: number, to: number) => {
    // A step that repeats is shown by its count.
    if (from < 0 || from === to) return
    const key = from * nodes.length + to
    const edge = edges.get(key)
    if (edge) edge.count++
    else edges.set(key, { from, to, count: 1 })
  }
  for (const [parent, rows] of within)
    for (const { row, before } of follow(tree, rows)) {
      const from = before ?? parent
      connect(from < 0 ? -1 : (nodeOf[from] ?? -1), nodeOf[row] ?? -1)
    }
  for (const node of nodes) node.rows.sort((a, b) => (tree.start[a] ?? 0) - (tree.start[b] ?? 0))
  const drawn = mainEdges([...edges.values()])
  const { grouping, names } = groups
  return { nodes, edges: drawn, hasAll, grouping, names, leftOut: edges.size - drawn.length }
}

/** The edges that are drawn: the most frequent one to each node, so that none is cut off, then the most frequent. */
function mainEdges(edges: GraphEdge[]): GraphEdge[] {
  if (edges.length <= mostEdges) return edges
  const byCount = edges.toSorted((a, b) => b.count - a.count)
  const reached = new Set<number>()
  const kept = new Set<GraphEdge>()
  for (const edge of byCount)
    if (!reached.has(edge.to)) {
      reached.add(edge.to)
      kept.add(edge)
    }
  for (const edge of byCount) {
    if (kept.size === mostEdges) break
    kept.add(edge)
  }
  return edges.filter((edge) => kept.has(edge))
}

/** For each row, the one that ended last before it began; undefined if there is none. */
function follow(
  tree: Tree,
  rows: readonly number[],
): { row: number; before: number | undefined }[] {
  const start = (row: number) => tree.start[row] ?? 0
  const end = (row: number) => tree.lastEnd[row] ?? 0
  const byStart = rows.toSorted((a, b) => start(a) - start(b) || a - b)
  const byEnd = rows
    .filter((row) => tree.hasEnded[row] === 1)
    .toSorted((a, b) => end(a) - end(b) || a - b)
  let ended = 0
  return byStart.map((row) => {
    while (ended < byEnd.length && end(byEnd[ended] ?? 0) <= start(row)) ended++
    let place = ended - 1
    // A row without duration ends when it begins, and must not precede itself. Of many at the same time only a few are
    // examined.
    const last = Math.max(-1, place - 50)
    while (place > last && !isBefore(byEnd[place] ?? 0, row)) place--
    return { row, before: place === last ? undefined : byEnd[place] }
  })
  function isBefore(candidate: number, row: number): boolean {
    return candidate !== row && (start(candidate) < start(row) || candidate < row)
  }
}
