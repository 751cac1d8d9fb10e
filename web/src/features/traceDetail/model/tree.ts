import { depthFirst } from './depthFirst'
import type { WireTree } from './wire'

/**
 * A trace in columns, with a row for each observation, in the order of the fully expanded tree: the descendants of a
 * row follow it directly, `size[row] - 1` of them. Times are in milliseconds since the first start.
 */
export type Tree = {
  count: number
  ids: string[]
  /** The row of the parent, -1 for roots. */
  parent: Int32Array
  depth: Int32Array
  /** The number of rows in a row's subtree, including itself. */
  size: Int32Array
  start: Float64Array
  /** The end, or the start if it has not ended or ended before it began. */
  end: Float64Array
  /** Whether it has ended. */
  hasEnded: Uint8Array
  /** The latest end in its subtree. */
  lastEnd: Float64Array
  /** NaN if the cost is unknown; `totalCost` includes all descendants. */
  cost: Float64Array
  totalCost: Float64Array
  tokens: Float64Array
  totalTokens: Float64Array
  /** The number of errors and warnings in its subtree. */
  errors: Int32Array
  warnings: Int32Array
  name: Int32Array
  type: Int32Array
  level: Int32Array
  model: Int32Array
  scores: Int32Array
  comments: Int32Array
  names: string[]
  types: string[]
  levels: string[]
  models: string[]
  /** The start of the first observation and the end of the last. */
  from: number
  to: number
  /** Rows by id. Built on first use, which is never before a trace is shown. */
  readonly rowOf: ReadonlyMap<string, number>
}

/** Builds the tree of a trace. Observations whose parent is missing, or that are their own ancestors, become roots. */
export function buildTree({ columns, dictionary }: WireTree): Tree {
  const count = columns.id.length
  const { order, parent, depth } = depthFirst(columns.parent, columns.start)
  const ids: string[] = []
  let rowOf: ReadonlyMap<string, number> | undefined
  const tree: Tree = {
    count,
    ids,
    parent,
    depth,
    size: new Int32Array(count).fill(1),
    start: new Float64Array(count),
    end: new Float64Array(count),
    hasEnded: new Uint8Array(count),
    lastEnd: new Float64Array(count),
    cost: new Float64Array(count),
    totalCost: new Float64Array(count),
    tokens: new Float64Array(count),
    totalTokens: new Float64Array(count),
    errors: new Int32Array(count),
    warnings: new Int32Array(count),
    name: new Int32Array(count),
    type: new Int32Array(count),
    level: new Int32Array(count),
    model: new Int32Array(count),
    scores: new Int32Array(count),
    comments: new Int32Array(count),
    ...dictionary,
    from: count > 0 ? Infinity : 0,
    to: 0,
    get rowOf() {
      return (rowOf ??= new Map(ids.map((id, row) => [id, row])))
    },
  }
  fill(tree, columns, order)
  addUp(tree)
  return tree
}

/**
 * Brings the columns into row order, in a single loop: a trace is read only once, so browsers have no time to optimize
 * functions that are called for each value, but they do compile a loop this long while it runs.
 */
function fill(tree: Tree, columns: WireTree['columns'], order: Int32Array): void {
  const error = tree.levels.indexOf('ERROR')
  const warning = tree.levels.indexOf('WARNING')
  for (let row = 0; row < order.length; row++) {
    const at = order[row] ?? 0
    const start = (columns.start[at] ?? 0) / 1000
    const ended = columns.end[at] ?? -1
    const end = Math.max(start, ended / 1000)
    const cost = columns.cost[at] ?? Number.NaN
    const tokens = (columns.inputTokens[at] ?? 0) + (columns.outputTokens[at] ?? 0)
    const level = columns.level[at] ?? 0
    tree.ids.push(columns.id[at] ?? '')
    tree.start[row] = start
    tree.end[row] = tree.lastEnd[row] = end
    tree.hasEnded[row] = ended < 0 ? 0 : 1
    tree.cost[row] = tree.totalCost[row] = cost
    tree.tokens[row] = tree.totalTokens[row] = tokens
    tree.level[row] = level
    tree.errors[row] = level === error ? 1 : 0
    tree.warnings[row] = level === warning ? 1 : 0
    tree.name[row] = columns.name[at] ?? 0
    tree.type[row] = columns.type[at] ?? 0
    tree.model[row] = columns.model[at] ?? -1
    tree.scores[row] = columns.scores[at] ?? 0
    tree.comments[row] = columns.comments[at] ?? 0
    if (start < tree.from) tree.from = start
    if (end > tree.to) tree.to = end
  }
}

/** Adds every row to its parent's totals, from the last row up, so that a row is complete before it is added. */
function addUp(tree: Tree): void {
  const { parent, size, lastEnd, totalCost, totalTokens, errors, warnings } = tree
  for (let row = tree.count - 1; row >= 0; row--) {
    const above = parent[row] ?? -1
    if (above < 0) continue
    size[above] = (size[above] ?? 0) + (size[row] ?? 0)
    totalTokens[above] = (totalTokens[above] ?? 0) + (totalTokens[row] ?? 0)
    errors[above] = (errors[above] ?? 0) + (errors[row] ?? 0)
    warnings[above] = (warnings[above] ?? 0) + (warnings[row] ?? 0)
    lastEnd[above] = Math.max(lastEnd[above] ?? 0, lastEnd[row] ?? 0)
    const own = totalCost[row] ?? Number.NaN
    if (Number.isNaN(own)) continue
    const before = totalCost[above] ?? Number.NaN
    totalCost[above] = Number.isNaN(before) ? own : before + own
  }
}

export function nameOf(tree: Tree, row: number): string {
  return tree.names[tree.name[row] ?? -1] ?? ''
}

export function typeOf(tree: Tree, row: number): string {
  return tree.types[tree.type[row] ?? -1] ?? 'SPAN'
}

export function levelOf(tree: Tree, row: number): string {
  return tree.levels[tree.level[row] ?? -1] ?? 'DEFAULT'
}

export function modelOf(tree: Tree, row: number): string | undefined {
  return tree.models[tree.model[row] ?? -1]
}

/** Its own duration, in milliseconds; undefined while it has not ended. */
export function durationOf(tree: Tree, row: number): number | undefined {
  if (tree.hasEnded[row] !== 1) return undefined
  return (tree.end[row] ?? 0) - (tree.start[row] ?? 0)
}

/** From its start to the last end in its subtree, which may outlive it. */
export function totalDurationOf(tree: Tree, row: number): number {
  return (tree.lastEnd[row] ?? 0) - (tree.start[row] ?? 0)
}

/** A cost, or undefined if it is unknown. */
export function known(value: number | undefined): number | undefined {
  return value === undefined || Number.isNaN(value) ? undefined : value
}

/** The rows of a row's children, in order. */
export function childrenOf(tree: Tree, row: number): number[] {
  const found: number[] = []
  const last = row + (tree.size[row] ?? 1)
  for (let child = row + 1; child < last; child += tree.size[child] ?? 1) found.push(child)
  return found
}
