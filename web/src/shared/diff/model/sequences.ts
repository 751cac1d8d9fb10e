import { matches, type Effort } from './matches'

/** A run of what both sequences have, of what only the first has, or of what only the second has. */
export type Run = { kind: 'same' | 'removed' | 'added'; values: string[] }

/**
 * The shortest difference between two sequences, removed before added; undefined if it takes more effort than is left. What
 * only one side has anywhere cannot be the same, so it is left out of the search, which makes it fast where much was
 * rewritten.
 */
export function sequenceDiff(
  a: readonly string[],
  b: readonly string[],
  effort: Effort,
): Run[] | undefined {
  const left = placesOfShared(a, new Set(b))
  const right = placesOfShared(b, new Set(a))
  const ids = new Map<string, number>()
  const found = matches(idsOf(a, left, ids), idsOf(b, right, ids), effort)
  if (!found) return undefined
  const runs: Run[] = []
  const push = (kind: Run['kind'], values: readonly string[]) => {
    const last = runs.at(-1)
    if (values.length === 0) return
    if (last?.kind === kind) for (const value of values) last.values.push(value)
    else runs.push({ kind, values: [...values] })
  }
  let atA = 0
  let atB = 0
  const upTo = (endA: number, endB: number) => {
    push('removed', a.slice(atA, endA))
    push('added', b.slice(atB, endB))
    atA = endA
    atB = endB
  }
  for (const [leftAt, rightAt] of found) {
    upTo(left[leftAt] ?? a.length, right[rightAt] ?? b.length)
    push('same', [a[atA] ?? ''])
    atA += 1
    atB += 1
  }
  upTo(a.length, b.length)
  return runs
}

function placesOfShared(values: readonly string[], others: ReadonlySet<string>): number[] {
  const places: number[] = []
  for (const [at, value] of values.entries()) if (others.has(value)) places.push(at)
  return places
}

/** The values at some places as numbers, equal ones as the same. */
function idsOf(
  values: readonly string[],
  places: readonly number[],
  ids: Map<string, number>,
): Int32Array {
  return Int32Array.from(places, (place) => {
    const value = values[place] ?? ''
    const known = ids.get(value)
    if (known !== undefined) return known
    ids.set(value, ids.size)
    return ids.size - 1
  })
}
