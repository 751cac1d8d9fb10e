import { levelOf, nameOf, typeOf, type Tree } from './tree'

/** The rows of a tree in chronological order. */
export function byTime(tree: Tree): Int32Array {
  const rows = Int32Array.from({ length: tree.count }, (_, row) => row)
  return rows.sort((a, b) => (tree.start[a] ?? 0) - (tree.start[b] ?? 0) || a - b)
}

export type LogFilter = { text: string; onlyProblems: boolean }

/** The rows whose name, type or loaded text contains the search text. */
export function filteredLog(
  tree: Tree,
  rows: Int32Array,
  filter: LogFilter,
  textOf: (row: number) => string,
): Int32Array {
  const wanted = filter.text.trim().toLowerCase()
  if (wanted === '' && !filter.onlyProblems) return rows
  return rows.filter((row) => {
    const level = levelOf(tree, row)
    if (filter.onlyProblems && level !== 'ERROR' && level !== 'WARNING') return false
    return (
      wanted === '' ||
      nameOf(tree, row).toLowerCase().includes(wanted) ||
      typeOf(tree, row).toLowerCase().includes(wanted) ||
      textOf(row).toLowerCase().includes(wanted)
    )
  })
}
