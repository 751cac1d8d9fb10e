import { diffArrays } from 'diff'

/** A run of what both sequences have, of what only the first has, or of what only the second has. */
export type Run = { kind: 'same' | 'removed' | 'added'; values: string[] }

/**
 * The shortest difference between two sequences, removed before added; undefined if it takes longer than a number of
 * milliseconds. What only one side has anywhere cannot be the same, so it is left out of the search, which makes it fast
 * where much was rewritten.
 */
export function sequenceDiff(
  a: readonly string[],
  b: readonly string[],
  timeout: number,
): Run[] | undefined {
  const left = placesOfShared(a, new Set(b))
  const right = placesOfShared(b, new Set(a))
  const changes = diffArrays(
    left.map((at) => a[at] ?? ''),
    right.map((at) => b[at] ?? ''),
    { timeout },
  )
  if (!changes) return undefined
  const runs: Run[] = []
  const push = (kind: Run['kind'], values: readonly string[]) => {
    const last = runs.at(-1)
    if (values.length === 0) return
    if (last?.kind === kind) for (const value of values) last.values.push(value)
    else runs.push({ kind, values: [...values] })
  }
  let atA = 0
  let atB = 0
  let leftAt = 0
  let rightAt = 0
  const upTo = (endA: number, endB: number) => {
    push('removed', a.slice(atA, endA))
    push('added', b.slice(atB, endB))
    atA = endA
    atB = endB
  }
  for (const { value, added, removed } of changes)
    if (added) rightAt += value.length
    else if (removed) leftAt += value.length
    else
      for (const same of value) {
        upTo(left[leftAt] ?? a.length, right[rightAt] ?? b.length)
        push('same', [same])
        leftAt += 1
        rightAt += 1
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
