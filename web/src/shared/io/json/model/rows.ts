import { kind, none, type JsonIndex } from './buildIndex'

/** What is unfolded: everything above a level, except for the toggled values. */
export type Folding = { level: number; toggled: ReadonlySet<number> }

/** The values that have a row, with their depths. */
export type Rows = { nodes: Uint32Array; depths: Uint32Array; count: number; isPartial: boolean }

/** More rows than this cannot be scrolled through in a browser and are not shown; something has to be folded. */
export const maxRows = 1_000_000

export function isContainer(index: JsonIndex, node: number): boolean {
  const what = index.kinds[node]
  return what === kind.object || what === kind.array
}

export function isUnfolded(folding: Folding, node: number, depth: number): boolean {
  return depth < folding.level !== folding.toggled.has(node)
}

/** The rows in order. Takes time proportional to the rows, not the values. */
export function visibleRows(index: JsonIndex, folding: Folding, limit = maxRows): Rows {
  let nodes = new Uint32Array(1024)
  let depths = new Uint32Array(1024)
  let count = 0
  let node = 0
  const ends: number[] = []
  while (node < index.count && count < limit) {
    while (ends.length > 0 && node >= (ends[ends.length - 1] ?? 0)) ends.pop()
    if (count === nodes.length) {
      nodes = doubled(nodes)
      depths = doubled(depths)
    }
    const depth = ends.length
    nodes[count] = node
    depths[count] = depth
    count++
    const after = index.afters[node] ?? index.count
    if (isContainer(index, node) && isUnfolded(folding, node, depth)) {
      ends.push(after)
      node++
    } else node = after
  }
  return { nodes, depths, count, isPartial: node < index.count }
}

function doubled(column: Uint32Array<ArrayBuffer>): Uint32Array<ArrayBuffer> {
  const next = new Uint32Array(column.length * 2)
  next.set(column)
  return next
}

/** Unfolds as many levels as fit on a few screens, and at least the first. */
export function initialFolding(index: JsonIndex, most = 200): Folding {
  let level = 1
  for (let next = 2; next < 12; next++) {
    const rows = visibleRows(index, { level: next, toggled: new Set() }, most + 1)
    if (rows.count > most) break
    level = next
  }
  return { level, toggled: new Set() }
}

export function toggled(folding: Folding, node: number): Folding {
  const set = new Set(folding.toggled)
  if (!set.delete(node)) set.add(node)
  return { level: folding.level, toggled: set }
}

/** Unfolds all ancestors of a value. */
export function revealing(index: JsonIndex, folding: Folding, node: number): Folding {
  const around = ancestors(index, node)
  const set = new Set(folding.toggled)
  around.forEach((each, depth) => {
    if (!isUnfolded({ level: folding.level, toggled: set }, each, depth))
      if (!set.delete(each)) set.add(each)
  })
  return { level: folding.level, toggled: set }
}

/** The ancestors of a value, the root first. */
export function ancestors(index: JsonIndex, node: number): number[] {
  const found: number[] = []
  for (let at = index.parents[node] ?? none; at !== none; at = index.parents[at] ?? none)
    found.push(at)
  return found.toReversed()
}

/** The row of a value, or -1 if it has none. Rows are sorted by value. */
export function rowOf(rows: Rows, node: number): number {
  let [low, high] = [0, rows.count - 1]
  while (low <= high) {
    const middle = (low + high) >> 1
    const found = rows.nodes[middle] ?? 0
    if (found === node) return middle
    if (found < node) low = middle + 1
    else high = middle - 1
  }
  return -1
}
