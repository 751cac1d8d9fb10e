import { childrenOf, type Tree } from './tree'

/**
 * The rows that determine the duration of the trace. Going back from its end: the child that ended last before that
 * time, then the one that ended last before that child began, and so on, each with its own children. Anything that ran
 * in parallel could be faster without making the trace faster. A child that outlives its parent counts up to the
 * parent's end.
 */
export function criticalPath(tree: Tree): Uint8Array {
  const isOn = new Uint8Array(tree.count)
  const root = lastRoot(tree)
  if (root === undefined) return isOn
  const stack: { row: number; until: number }[] = [{ row: root, until: tree.end[root] ?? 0 }]
  for (let next = stack.pop(); next; next = stack.pop()) {
    isOn[next.row] = 1
    let { until } = next
    const children = childrenOf(tree, next.row)
      .map((row) => ({ row, end: Math.min(tree.end[row] ?? 0, until) }))
      .sort((a, b) => b.end - a.end || b.row - a.row)
    for (const { row, end } of children) {
      const start = tree.start[row] ?? 0
      if (end > until || start >= until || end <= start) continue
      stack.push({ row, until: end })
      until = start
    }
  }
  return isOn
}

/** The longest of several roots. */
function lastRoot(tree: Tree): number | undefined {
  let longest: number | undefined
  let most = -1
  for (let row = 0; row < tree.count; row += tree.size[row] ?? 1) {
    const duration = (tree.end[row] ?? 0) - (tree.start[row] ?? 0)
    if (duration > most) {
      most = duration
      longest = row
    }
  }
  return longest
}

/** The row on the critical path with the most time of its own: the one to look at first. */
export function slowestRow(tree: Tree, path: Uint8Array): number | undefined {
  let slowest: number | undefined
  let most = -1
  for (let row = 0; row < tree.count; row++) {
    if (path[row] !== 1) continue
    const own = selfTime(tree, row)
    if (own > most) {
      most = own
      slowest = row
    }
  }
  return slowest
}

/** The time in which a row runs without any of its children. */
export function selfTime(tree: Tree, row: number): number {
  const end = tree.end[row] ?? 0
  let at = tree.start[row] ?? 0
  let own = 0
  // Children are sorted by start.
  for (const child of childrenOf(tree, row)) {
    const from = Math.min(end, tree.start[child] ?? 0)
    const to = Math.min(end, tree.end[child] ?? 0)
    if (from > at) own += from - at
    at = Math.max(at, to)
  }
  return own + Math.max(0, end - at)
}
