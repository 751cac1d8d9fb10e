import { childrenOf, durationOf, known, nameOf, typeOf, type Tree } from './tree'

/** Rows of two trees shown side by side; -1 where one of them has none. */
export type Pair = { a: number; b: number; depth: number }

/**
 * Aligns two trees from their roots. Below matching rows, children with the same name and type match in order: the
 * first with the first, the second with the second. Rows that only one tree has stay at their place.
 */
export function align(a: Tree, b: Tree): Pair[] {
  const pairs: Pair[] = []
  const stack: Pair[] = siblings(a, rootsOf(a), b, rootsOf(b), 0).toReversed()
  for (let pair = stack.pop(); pair; pair = stack.pop()) {
    pairs.push(pair)
    const below = siblings(
      a,
      pair.a < 0 ? [] : childrenOf(a, pair.a),
      b,
      pair.b < 0 ? [] : childrenOf(b, pair.b),
      pair.depth + 1,
    )
    for (const each of below.toReversed()) stack.push(each)
  }
  return pairs
}

function rootsOf(tree: Tree): number[] {
  const roots: number[] = []
  for (let row = 0; row < tree.count; row += tree.size[row] ?? 1) roots.push(row)
  return roots
}

function siblings(
  a: Tree,
  ofA: readonly number[],
  b: Tree,
  ofB: readonly number[],
  depth: number,
): Pair[] {
  const waiting = new Map<string, number[]>()
  for (const row of ofB) {
    const key = keyOf(b, row)
    const rows = waiting.get(key)
    if (rows) rows.push(row)
    else waiting.set(key, [row])
  }
  for (const rows of waiting.values()) rows.reverse() // pop takes the first
  const partner = new Map<number, number>()
  const paired = ofA.map((row) => {
    const match = waiting.get(keyOf(a, row))?.pop()
    if (match !== undefined) partner.set(match, row)
    return { a: row, b: match ?? -1, depth }
  })
  const alone = ofB.filter((row) => !partner.has(row))
  if (alone.length === 0) return paired
  // Rows that only b has come after the row that they follow there.
  const after = new Map<number, Pair[]>()
  let before = -1
  for (const row of ofB) {
    const match = partner.get(row)
    if (match !== undefined) before = match
    else after.set(before, [...(after.get(before) ?? []), { a: -1, b: row, depth }])
  }
  return [
    ...(after.get(-1) ?? []),
    ...paired.flatMap((pair) => [pair, ...(after.get(pair.a) ?? [])]),
  ]
}

function keyOf(tree: Tree, row: number): string {
  return `${typeOf(tree, row)} ${nameOf(tree, row)}`
}

/** b minus a. Time is undefined if either is unknown, cost only if both are. */
export type Difference = { time: number | undefined; cost: number | undefined; tokens: number }

export function difference(a: Tree, b: Tree, pair: Pair): Difference | undefined {
  if (pair.a < 0 || pair.b < 0) return undefined
  const minus = (after: number | undefined, before: number | undefined) =>
    after === undefined && before === undefined ? undefined : (after ?? 0) - (before ?? 0)
  const before = durationOf(a, pair.a)
  const after = durationOf(b, pair.b)
  return {
    time: before === undefined || after === undefined ? undefined : after - before,
    cost: minus(known(b.totalCost[pair.b]), known(a.totalCost[pair.a])),
    tokens: (b.totalTokens[pair.b] ?? 0) - (a.totalTokens[pair.a] ?? 0),
  }
}
