import { durationOf, known, levelOf, nameOf, typeOf, type Tree } from './tree'

/** Statistics of the observations with one name and type. */
export type NameStatistics = {
  id: string
  name: string
  type: string
  count: number
  errors: number
  /** Milliseconds. */
  totalTime: number
  p50: number | undefined
  p95: number | undefined
  cost: number | undefined
  tokens: number
  /** The row of the slowest one. */
  slowest: number
}

/** Statistics by name and type, by total time in descending order. */
export function statistics(tree: Tree): NameStatistics[] {
  const groups = new Map<string, { rows: number[]; durations: number[] }>()
  for (let row = 0; row < tree.count; row++) {
    const id = `${tree.type[row]} ${tree.name[row]}`
    const group = groups.get(id) ?? { rows: [], durations: [] }
    group.rows.push(row)
    const duration = durationOf(tree, row)
    if (duration !== undefined) group.durations.push(duration)
    groups.set(id, group)
  }
  return Array.from(groups, ([id, { rows, durations }]): NameStatistics => {
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

function sum(values: readonly number[]): number {
  return values.reduce((total, each) => total + each, 0)
}

/** The nearest-rank quantile of sorted values. */
function quantile(sorted: readonly number[], part: number): number | undefined {
  return sorted[Math.max(0, Math.ceil(sorted.length * part) - 1)]
}
