import type { Scale } from './scale'
import { levelOf, typeOf, type Tree } from './tree'

/** A slice of the timeline: how many leaf observations run, the type of the longest of them, and whether one failed. */
export type Slice = { count: number; type: string; hasError: boolean }

/** The whole trace in a few slices, for the minimap. */
export function density(tree: Tree, scale: Scale, slices: number): Slice[] {
  const counts = new Int32Array(slices + 1)
  const errors = new Uint8Array(slices)
  const longest = new Float64Array(slices)
  const types = new Int32Array(slices).fill(-1)
  for (let row = 0; row < tree.count; row++) {
    const isLeaf = tree.size[row] === 1
    const isError = levelOf(tree, row) === 'ERROR'
    if (!isLeaf && !isError) continue
    const start = tree.start[row] ?? 0
    const end = tree.end[row] ?? 0
    const first = Math.min(slices - 1, Math.floor(scale.toPosition(start) * slices))
    const last = Math.min(slices - 1, Math.floor(scale.toPosition(end) * slices))
    if (isError) errors[last] = 1
    if (!isLeaf) continue
    counts[first] = (counts[first] ?? 0) + 1
    counts[last + 1] = (counts[last + 1] ?? 0) - 1
    for (let at = first; at <= last; at++) {
      if (types[at] === -1 || end - start > (longest[at] ?? 0)) {
        longest[at] = end - start
        types[at] = row
      }
    }
  }
  let running = 0
  return Array.from(types, (row, at) => {
    running += counts[at] ?? 0
    return {
      count: running,
      type: row < 0 ? '' : typeOf(tree, row),
      hasError: errors[at] === 1,
    }
  })
}
