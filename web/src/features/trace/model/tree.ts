import { depthFirst } from './depthFirst'
import type { WireTree } from './wire'

/**
 * A trace as columns, one row for each observation, in the order in which a tree that is unfolded shows them: the rows below a row
 * are those right after it, `size[row] - 1` of them. Times are milliseconds since the first start.
 */
export type Tree = {
  count: number
  ids: string[]
  /** The row of the parent, -1 for roots. */
  parent: Int32Array
  depth: Int32Array
  /** How many rows a row and all below it are. */
  size: Int32Array
  start: Float64Array
  /** The end; the start of what has not ended, or ended before it began. */
  end: Float64Array
  /** Whether it has ended. */
  hasEnded: Uint8Array
  /** The latest end of it and of all below. */
  lastEnd: Float64Array
  /** NaN if it costs nothing that is known; `totalCost` includes all below. */
  cost: Float64Array
  totalCost: Float64Array
  tokens: Float64Array
  totalTokens: Float64Array
  /** How many errors there are, including those below; how many warnings. */
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
  /** When the first begins and the last ends. */
  from: number
  to: number
  rowOf: Map<string, number>
}

/** Builds the tree of a trace. Parents that are missing or that are their own ancestors make roots. */
export function buildTree({ columns, dictionary }: WireTree): Tree {
  const count = columns.id.length
  const { order, parent, depth } = depthFirst(columns.parent, columns.start)
  const numbers = (read: (at: number, row: number) => number) =>
    filled(new Float64Array(count), order, read)
  const integers = (read: (at: number, row: number) => number) =>
    filled(new Int32Array(count), order, read)
  const start = numbers((at) => (columns.start[at] ?? 0) / 1000)
  const end = numbers((at, row) => Math.max(start[row] ?? 0, (columns.end[at] ?? -1) / 1000))
  const cost = numbers((at) => columns.cost[at] ?? Number.NaN)
  const tokens = numbers((at) => (columns.inputTokens[at] ?? 0) + (columns.outputTokens[at] ?? 0))
  const level = integers((at) => columns.level[at] ?? 0)
  const isLevel = (wanted: string) => {
    const place = dictionary.levels.indexOf(wanted)
    return integers((at) => (columns.level[at] === place ? 1 : 0))
  }
  const ids = Array.from({ length: count }, (_, row) => columns.id[order[row] ?? 0] ?? '')
  const tree: Tree = {
    count,
    ids,
    parent,
    depth,
    size: new Int32Array(count).fill(1),
    start,
    end,
    hasEnded: filled(new Uint8Array(count), order, (at) => ((columns.end[at] ?? -1) < 0 ? 0 : 1)),
    lastEnd: end.slice(),
    cost,
    totalCost: cost.slice(),
    tokens,
    totalTokens: tokens.slice(),
    errors: isLevel('ERROR'),
    warnings: isLevel('WARNING'),
    name: integers((at) => columns.name[at] ?? 0),
    type: integers((at) => columns.type[at] ?? 0),
    level,
    model: integers((at) => columns.model[at] ?? -1),
    scores: integers((at) => columns.scores[at] ?? 0),
    comments: integers((at) => columns.comments[at] ?? 0),
    ...dictionary,
    from: start.reduce((least, each) => Math.min(least, each), count > 0 ? Infinity : 0),
    to: end.reduce((most, each) => Math.max(most, each), 0),
    rowOf: new Map(ids.map((id, row) => [id, row])),
  }
  addUp(tree)
  return tree
}

/** The column of what is read for each row; faster than `from`, which matters for large traces. */
function filled<A extends Int32Array | Float64Array | Uint8Array>(
  column: A,
  order: Int32Array,
  read: (at: number, row: number) => number,
): A {
  for (let row = 0; row < order.length; row++) column[row] = read(order[row] ?? 0, row)
  return column
}

/** Adds every row to its parent's totals: from the last row on, so that a row is complete before it is added. */
function addUp(tree: Tree): void {
  const { parent, size, lastEnd, totalCost, totalTokens, errors, warnings } = tree
  const add = (sums: Int32Array | Float64Array, row: number, above: number) => {
    sums[above] = (sums[above] ?? 0) + (sums[row] ?? 0)
  }
  for (let row = tree.count - 1; row >= 0; row--) {
    const above = parent[row] ?? -1
    if (above < 0) continue
    add(size, row, above)
    add(totalTokens, row, above)
    add(errors, row, above)
    add(warnings, row, above)
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

/** From its start to the end of the last thing below it, which may outlive it. */
export function totalDurationOf(tree: Tree, row: number): number {
  return (tree.lastEnd[row] ?? 0) - (tree.start[row] ?? 0)
}

/** A cost, or undefined if there is none. */
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
