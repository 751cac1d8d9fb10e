import type { Row } from './lineDiff'

/** Rows as shown: those that differ with some around them, and the number of equal ones left out between. */
export type Shown = { kind: 'row'; row: Row; index: number } | Gap
export type Gap = { kind: 'gap'; from: number; count: number }

/** Equal lines shown before and after each difference. */
const around = 3

/** Leaves out equal lines far from any difference, but for the gaps that were opened, by their first row. */
export function folded(rows: readonly Row[], opened: ReadonlySet<number>): Shown[] {
  const isNear = new Uint8Array(rows.length)
  for (const [at, row] of rows.entries())
    if (row.kind !== 'same') isNear.fill(1, Math.max(0, at - around), at + around + 1)
  const shown: Shown[] = []
  for (let at = 0; at < rows.length;) {
    let end = at
    while (end < rows.length && isNear[end] === 0) end += 1
    const count = end - at
    // A gap takes a line itself.
    if (count > 2 && !opened.has(at)) shown.push({ kind: 'gap', from: at, count })
    else for (let index = at; index < end; index += 1) push(shown, rows, index)
    if (end < rows.length) push(shown, rows, end)
    at = end + 1
  }
  return shown
}

function push(shown: Shown[], rows: readonly Row[], index: number): void {
  const row = rows[index]
  if (row) shown.push({ kind: 'row', row, index })
}
