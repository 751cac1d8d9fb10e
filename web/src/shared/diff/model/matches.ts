/** How much may still be compared. It is counted, not timed: the same texts have the same difference on every machine. */
export type Effort = { left: number }

/** What is kept to find the way back grows with the square of the edits: this is 16 MB. */
const mostEdits = 2_000

/**
 * The places of the values that two sequences share in a shortest edit from one to the other (Myers 1986), in order;
 * undefined if finding it takes more effort than is left.
 */
export function matches(
  a: Int32Array,
  b: Int32Array,
  effort: Effort,
): [a: number, b: number][] | undefined {
  const most = Math.min(a.length + b.length, mostEdits)
  // How far into `a` each diagonal reaches; diagonal k is at k + most + 1.
  const reach = new Int32Array(2 * most + 3)
  const origin = most + 1
  const before: Int32Array[] = []
  for (let edits = 0; edits <= most; edits += 1) {
    before.push(reach.slice(origin - edits - 1, origin + edits + 2))
    for (let k = -edits; k <= edits; k += 2) {
      let x = isAdded(reach, origin, k, edits)
        ? at(reach, origin + k + 1)
        : at(reach, origin + k - 1) + 1
      const start = x
      while (x < a.length && x - k < b.length && a[x] === b[x - k]) x += 1
      reach[origin + k] = x
      effort.left -= 1 + x - start
      if (x >= a.length && x - k >= b.length) return wayBack(a.length, b.length, before)
    }
    if (effort.left < 0) return undefined
  }
  return undefined
}

/** Whether a diagonal is best reached by adding a value, not by removing one. */
function isAdded(reach: Int32Array, origin: number, k: number, edits: number): boolean {
  return k === -edits || (k !== edits && at(reach, origin + k - 1) < at(reach, origin + k + 1))
}

function wayBack(endA: number, endB: number, before: readonly Int32Array[]): [number, number][] {
  const found: [number, number][] = []
  let x = endA
  let y = endB
  for (let edits = before.length - 1; edits >= 0; edits -= 1) {
    const reach = before[edits] ?? new Int32Array()
    const origin = edits + 1
    const k = x - y
    const isAddition = isAdded(reach, origin, k, edits)
    const from =
      edits === 0 ? 0 : isAddition ? at(reach, origin + k + 1) : at(reach, origin + k - 1)
    const start = edits === 0 ? 0 : isAddition ? from : from + 1
    while (x > start) {
      x -= 1
      y -= 1
      found.push([x, y])
    }
    x = from
    y = edits === 0 ? 0 : isAddition ? from - k - 1 : from - k + 1
  }
  return found.toReversed()
}

function at(values: Int32Array, place: number): number {
  return values[place] ?? 0
}
