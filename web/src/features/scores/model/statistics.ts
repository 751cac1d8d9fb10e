/** Statistics of scores. All functions are pure; the tests compare them with values computed by hand. */

export type Summary = {
  count: number
  mean: number
  /** The sample standard deviation, with n - 1 in the denominator; undefined for a single value. */
  deviation: number | undefined
  least: number
  median: number
  greatest: number
}

export function summarize(values: readonly number[]): Summary | undefined {
  const count = values.length
  if (count === 0) return undefined
  const sorted = values.toSorted((a, b) => a - b)
  const mean = sum(values) / count
  const squares = sum(values.map((value) => (value - mean) ** 2))
  return {
    count,
    mean,
    deviation: count > 1 ? Math.sqrt(squares / (count - 1)) : undefined,
    least: sorted[0] ?? mean,
    median: quantile(sorted, 0.5),
    greatest: sorted[count - 1] ?? mean,
  }
}

/** The quantile of values in ascending order, by linear interpolation between neighbours. */
export function quantile(sorted: readonly number[], share: number): number {
  const at = (sorted.length - 1) * share
  const below = sorted[Math.floor(at)] ?? Number.NaN
  const above = sorted[Math.ceil(at)] ?? below
  return below + (above - below) * (at - Math.floor(at))
}

/** The fewest pairs that have a correlation: a line goes through any two. */
const fewestCorrelated = 3

/** Pearson's correlation coefficient; undefined for fewer than three pairs, and if either side does not vary. */
export function pearson(pairs: readonly Pair<number>[]): number | undefined {
  if (pairs.length < fewestCorrelated) return undefined
  // The squares below are not exactly 0 for equal values such as 0.1.
  const [first] = pairs
  if (!first || pairs.every(([a]) => a === first[0]) || pairs.every(([, b]) => b === first[1]))
    return undefined
  const meanA = sum(pairs.map(([a]) => a)) / pairs.length
  const meanB = sum(pairs.map(([, b]) => b)) / pairs.length
  let both = 0
  let squaresA = 0
  let squaresB = 0
  for (const [a, b] of pairs) {
    both += (a - meanA) * (b - meanB)
    squaresA += (a - meanA) ** 2
    squaresB += (b - meanB) ** 2
  }
  if (squaresA === 0 || squaresB === 0) return undefined
  // Rounding must not push it beyond 1.
  return Math.max(-1, Math.min(1, both / Math.sqrt(squaresA * squaresB)))
}

export type Pair<T> = readonly [T, T]

/** Spearman's rank correlation: Pearson's coefficient of the ranks; equal values share the mean of their ranks. */
export function spearman(pairs: readonly Pair<number>[]): number | undefined {
  const a = ranks(pairs.map((pair) => pair[0]))
  const b = ranks(pairs.map((pair) => pair[1]))
  return pearson(a.map((rank, at) => [rank, b[at] ?? 0] as const))
}

export function ranks(values: readonly number[]): number[] {
  const order = values.map((value, at) => ({ value, at })).sort((x, y) => x.value - y.value)
  const found: number[] = Array.from({ length: values.length }, () => 0)
  for (let from = 0; from < order.length;) {
    let to = from
    while (to + 1 < order.length && order[to + 1]?.value === order[from]?.value) to += 1
    const rank = (from + to) / 2 + 1
    for (const { at } of order.slice(from, to + 1)) found[at] = rank
    from = to + 1
  }
  return found
}

/** The mean absolute difference between the values of a pair. */
export function meanAbsoluteDifference(pairs: readonly Pair<number>[]): number | undefined {
  if (pairs.length === 0) return undefined
  return sum(pairs.map(([a, b]) => Math.abs(a - b))) / pairs.length
}

export type Agreement = {
  /** The share of pairs whose values are the same. */
  share: number
  /** Cohen's κ: 1 is full agreement, 0 is agreement by chance; undefined if chance explains everything. */
  kappa: number | undefined
}

/** How far two categorical scores agree. The rows of the matrix are the first score's categories. */
export function agreement(matrix: readonly (readonly number[])[]): Agreement | undefined {
  const total = sum(matrix.flat())
  if (total === 0) return undefined
  const same = sum(matrix.map((row, at) => row[at] ?? 0))
  const byChance = sum(
    matrix.map(
      (row, at) => (sum(row) / total) * (sum(matrix.map((each) => each[at] ?? 0)) / total),
    ),
  )
  const share = same / total
  return { share, kappa: byChance >= 1 ? undefined : (share - byChance) / (1 - byChance) }
}

/** How often each category of the first score occurs together with each of the second. */
export function crossTable(
  pairs: readonly Pair<number>[],
  rows: number,
  columns: number,
): number[][] {
  const counts = Array.from({ length: rows }, () => Array.from({ length: columns }, () => 0))
  for (const [row, column] of pairs) {
    const line = counts[row]
    if (line?.[column] !== undefined) line[column] += 1
  }
  return counts
}

export function sum(values: readonly number[]): number {
  let total = 0
  for (const value of values) total += value
  return total
}
