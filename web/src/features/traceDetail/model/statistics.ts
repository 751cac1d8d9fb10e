import { childrenOf, durationOf, known, levelOf, nameOf, typeOf, type Tree } from './tree'

/** Statistics of the observations with one name and type. */
export type NameStatistics = {
  id: string
  name: string
  type: string
  count: number
  errors: number
  /** Milliseconds. */
  totalTime: number
  /** The time in which none of their own children ran. */
  selfTime: number
  p50: number | undefined
  p95: number | undefined
  cost: number | undefined
  tokens: number
  /** The row of the slowest one. */
  slowest: number
}

/** Statistics by name and type, by total time in descending order. */
export function statistics(tree: Tree): NameStatistics[] {
  const groups = new Map<string, { rows: number[]; durations: number[]; selfTime: number }>()
  for (let row = 0; row < tree.count; row++) {
    const id = `${tree.type[row]} ${tree.name[row]}`
    const group = groups.get(id) ?? { rows: [], durations: [], selfTime: 0 }
    group.rows.push(row)
    group.selfTime += selfTimeOf(tree, row)
    const duration = durationOf(tree, row)
    if (duration !== undefined) group.durations.push(duration)
    groups.set(id, group)
  }
  return Array.from(groups, ([id, { rows, durations, selfTime }]): NameStatistics => {
    const [first = 0] = rows
    durations.sort((a, b) => a - b)
    const costs = rows.map((row) => known(tree.cost[row])).filter((each) => each !== undefined)
    return {
      id,
      name: nameOf(tree, first),
      type: typeOf(tree, first),
      count: rows.length,
      errors: rows.filter((row) => levelOf(tree, row) === 'ERROR').length,
      totalTime: sum(durations),
      selfTime,
      p50: quantile(durations, 0.5),
      p95: quantile(durations, 0.95),
      cost: costs.length > 0 ? sum(costs) : undefined,
      tokens: sum(rows.map((row) => tree.tokens[row] ?? 0)),
      slowest: rows.reduce((slowest, row) =>
        (durationOf(tree, row) ?? 0) > (durationOf(tree, slowest) ?? 0) ? row : slowest,
      ),
    }
  }).sort((a, b) => b.totalTime - a.totalTime)
}

/**
 * The time of an observation in which none of its children ran: children at the same time count once, and only while it
 * ran itself. Zero if it has not ended.
 */
export function selfTimeOf(tree: Tree, row: number): number {
  const duration = durationOf(tree, row)
  if (duration === undefined) return 0
  let until = tree.start[row] ?? 0
  const end = until + duration
  let covered = 0
  const children = childrenOf(tree, row).toSorted(
    (a, b) => (tree.start[a] ?? 0) - (tree.start[b] ?? 0),
  )
  for (const child of children) {
    const from = Math.max(until, tree.start[child] ?? 0)
    // What has not ended still runs.
    const to = tree.hasEnded[child] === 1 ? Math.min(end, tree.end[child] ?? 0) : end
    if (to <= from) continue
    covered += to - from
    until = to
  }
  return Math.max(0, duration - covered)
}

function sum(values: readonly number[]): number {
  return values.reduce((total, each) => total + each, 0)
}

/** The nearest-rank quantile of sorted values. */
function quantile(sorted: readonly number[], part: number): number | undefined {
  return sorted[Math.max(0, Math.ceil(sorted.length * part) - 1)]
}
