import { levelOf, type Tree } from './tree'

/** The row of the trace itself, above all others. */
export const traceRow = -1

/** The visible rows, the trace first, without the descendants of folded rows. */
export function visibleRows(tree: Tree, folded: ReadonlySet<string>): Int32Array {
  const rows = new Int32Array(tree.count + 1)
  rows[0] = traceRow
  let length = 1
  for (let row = 0; row < tree.count;) {
    rows[length++] = row
    const isFolded = folded.size > 0 && folded.has(tree.ids[row] ?? '')
    row += isFolded ? (tree.size[row] ?? 1) : 1
  }
  return rows.subarray(0, length)
}

/** The index of a row among the visible ones; for a row that is folded away, that of the row it is folded into. */
export function placeOf(visible: Int32Array, row: number): number {
  let low = 0
  let high = visible.length - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if ((visible[middle] ?? 0) <= row) low = middle
    else high = middle - 1
  }
  return low
}

export function hasChildren(tree: Tree, row: number): boolean {
  return (tree.size[row] ?? 1) > 1
}

/** Folds everything at a level or deeper; roots are at level 1. */
export function foldedFrom(tree: Tree, level: number): Set<string> {
  const folded = new Set<string>()
  for (let row = 0; row < tree.count; row++)
    if ((tree.depth[row] ?? 0) >= level - 1 && hasChildren(tree, row))
      folded.add(tree.ids[row] ?? '')
  return folded
}

/** The folded rows without the ancestors of a row, so that it is visible. */
export function unfoldedTo(tree: Tree, folded: ReadonlySet<string>, row: number): Set<string> {
  const left = new Set(folded)
  for (let above = tree.parent[row] ?? -1; above >= 0; above = tree.parent[above] ?? -1)
    left.delete(tree.ids[above] ?? '')
  return left
}

/** The next row with an error after a row, or before it, wrapping around. */
export function nextError(tree: Tree, row: number, step: 1 | -1 = 1): number | undefined {
  return nextWhere(tree, row, step, (each) => levelOf(tree, each) === 'ERROR')
}

export function nextWhere(
  tree: Tree,
  row: number,
  step: 1 | -1,
  isWanted: (row: number) => boolean,
): number | undefined {
  const { count } = tree
  const from = row < 0 && step === -1 ? 0 : row
  for (let i = 1; i <= count; i++) {
    const at = (((from + i * step) % count) + count) % count
    if (isWanted(at)) return at
  }
  return undefined
}
