import type { JsonIndex } from './buildIndex'
import { none } from './buildIndex'
import { isContainer, isUnfolded, rowOf, type Folding, type Rows } from './rows'

/** What a key does in the tree. */
export type TreeCommand =
  | { kind: 'go'; row: number }
  | { kind: 'toggle'; node: number }
  | { kind: 'showWhole'; node: number }

/** The keys of a tree as ARIA describes them: arrows move, fold and unfold; Enter toggles, or expands a long string. */
export function treeCommand(
  key: string,
  current: number,
  index: JsonIndex,
  rows: Rows,
  folding: Folding,
  page: number,
): TreeCommand | undefined {
  const last = rows.count - 1
  const row = Math.max(0, rowOf(rows, current))
  const node = rows.nodes[row] ?? 0
  const isFoldable = isContainer(index, node) && (index.sizes[node] ?? 0) > 0
  const isOpen = isFoldable && isUnfolded(folding, node, rows.depths[row] ?? 0)
  const go = (to: number): TreeCommand => ({ kind: 'go', row: Math.min(last, Math.max(0, to)) })
  switch (key) {
    case 'ArrowDown':
      return go(row + 1)
    case 'ArrowUp':
      return go(row - 1)
    case 'PageDown':
      return go(row + page)
    case 'PageUp':
      return go(row - page)
    case 'Home':
      return go(0)
    case 'End':
      return go(last)
    case 'ArrowRight':
      if (!isFoldable) return undefined
      return isOpen ? go(row + 1) : { kind: 'toggle', node }
    case 'ArrowLeft': {
      if (isOpen) return { kind: 'toggle', node }
      const parent = index.parents[node] ?? none
      return parent === none ? undefined : go(rowOf(rows, parent))
    }
    case 'Enter':
    case ' ':
      if (isFoldable) return { kind: 'toggle', node }
      return isContainer(index, node) ? undefined : { kind: 'showWhole', node }
    default:
      return undefined
  }
}
