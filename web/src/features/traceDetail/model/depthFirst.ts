type Order = {
  /** The observation in each row. */
  order: Int32Array
  /** The row of each row's parent, -1 for roots. */
  parent: Int32Array
  depth: Int32Array
}

/**
 * The rows of a tree, parents before children and siblings by start. An observation without a known parent is a root.
 * In a cycle, the one that starts first is the root.
 */
export function depthFirst(parents: readonly number[], starts: readonly number[]): Order {
  const count = parents.length
  const byStart = sortedByStart(starts)
  const firstChild = new Int32Array(count).fill(-1)
  const next = new Int32Array(count).fill(-1)
  const roots: number[] = []
  // Backwards, so that the lists, which are built by prepending, end up in order.
  for (let i = count - 1; i >= 0; i--) {
    const at = byStart[i] ?? 0
    const above = parents[at] ?? -1
    if (above < 0 || above >= count || above === at) {
      roots.push(at)
      continue
    }
    next[at] = firstChild[above] ?? -1
    firstChild[above] = at
  }
  roots.reverse()

  const order = new Int32Array(count)
  const parent = new Int32Array(count).fill(-1)
  const depth = new Int32Array(count)
  const rowOf = new Int32Array(count).fill(-1)
  let rows = 0
  const walk = (root: number) => {
    const stack = [root]
    while (stack.length > 0) {
      const at = stack.pop() ?? 0
      const above = at === root ? -1 : (rowOf[parents[at] ?? -1] ?? -1)
      rowOf[at] = rows
      order[rows] = at
      parent[rows] = above
      depth[rows] = above < 0 ? 0 : (depth[above] ?? 0) + 1
      rows++
      const from = stack.length
      for (let child = firstChild[at] ?? -1; child >= 0; child = next[child] ?? -1)
        if ((rowOf[child] ?? -1) < 0) stack.push(child)
      reverseFrom(stack, from)
    }
  }
  for (const root of roots) walk(root)
  // What is left is in cycles.
  for (const at of byStart) {
    if ((rowOf[at] ?? -1) < 0) walk(at)
  }
  return { order, parent, depth }
}

function reverseFrom(stack: number[], from: number): void {
  for (let low = from, high = stack.length - 1; low < high; low++, high--) {
    const kept = stack[low] ?? 0
    stack[low] = stack[high] ?? 0
    stack[high] = kept
  }
}

/** The server sorts by start, but a trace that grows while it is read may be out of order. */
function sortedByStart(starts: readonly number[]): Int32Array {
  const places = new Int32Array(starts.length)
  let isSorted = true
  for (let at = 0; at < starts.length; at++) {
    places[at] = at
    if ((starts[at] ?? 0) < (starts[at - 1] ?? 0)) isSorted = false
  }
  return isSorted ? places : places.sort((a, b) => (starts[a] ?? 0) - (starts[b] ?? 0) || a - b)
}
