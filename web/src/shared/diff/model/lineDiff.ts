import { sequenceDiff } from './sequences'
import { wordDiff, type Piece } from './words'

/** A line of one of the texts. */
export type Line = { number: number; pieces: Piece[] }

/** Lines beside each other; a changed line has both sides, an added or removed one only its own. */
export type Row = { kind: 'same' | 'changed' | 'added' | 'removed'; a?: Line; b?: Line }

export type LineDiff = { rows: Row[]; added: number; removed: number }

/** What remains after the equal beginning and end must not be longer than this, both sides together. */
export const longestDiff = 400_000
/** Longer texts are not even split into lines. */
const longestText = 8_000_000
/** The effort for lines, and that for words, which together take some 100 ms. What is left over is marked as a whole. */
const effortByLine = 4_000_000
const effortByWord = 4_000_000
/** How many changed lines are looked into for the words that differ. */
const maxLinesByWord = 2_000

/**
 * The difference between two texts, line by line, or as a whole if they have too little in common; undefined if they are too
 * long.
 */
export function lineDiff(before: string, after: string): LineDiff | undefined {
  if (before.length + after.length > longestText) return undefined
  const a = before.split('\n')
  const b = after.split('\n')
  let head = 0
  while (head < a.length && head < b.length && a[head] === b[head]) head += 1
  let tail = 0
  const rest = Math.min(a.length, b.length) - head
  while (tail < rest && a[a.length - 1 - tail] === b[b.length - 1 - tail]) tail += 1
  const middleA = a.slice(head, a.length - tail)
  const middleB = b.slice(head, b.length - tail)
  if (lengthOf(middleA) + lengthOf(middleB) > longestDiff) return undefined
  const runs = sequenceDiff(middleA, middleB, { left: effortByLine }) ?? [
    { kind: 'removed', values: middleA },
    { kind: 'added', values: middleB },
  ]

  const found: LineDiff = { rows: [], added: 0, removed: 0 }
  let atA = 0
  let atB = 0
  const keep = (lines: readonly string[]) => {
    for (const text of lines)
      found.rows.push({ kind: 'same', a: whole(text, ++atA), b: whole(text, ++atB) })
  }
  keep(a.slice(0, head))
  let byWord = maxLinesByWord
  const effort = { left: effortByWord }
  for (let at = 0; at < runs.length; at += 1) {
    const run = runs[at]
    if (!run) continue
    if (run.kind === 'same') {
      keep(run.values)
      continue
    }
    // A run of removed lines and the run of added ones after it are shown beside each other.
    const next = run.kind === 'removed' ? runs[at + 1] : undefined
    const isPair = next?.kind === 'added'
    if (isPair) at += 1
    const removed = run.kind === 'removed' ? run.values : []
    const added = run.kind === 'added' ? run.values : isPair ? next.values : []
    found.removed += removed.length
    found.added += added.length
    for (let line = 0; line < Math.max(removed.length, added.length); line += 1) {
      const [old, now] = [removed[line], added[line]]
      const words =
        old !== undefined && now !== undefined && byWord-- > 0 && effort.left > 0
          ? wordDiff(old, now, effort)
          : undefined
      const left =
        old === undefined ? undefined : { number: ++atA, pieces: words?.a ?? changed(old) }
      const right =
        now === undefined ? undefined : { number: ++atB, pieces: words?.b ?? changed(now) }
      found.rows.push({
        kind: left && right ? 'changed' : left ? 'removed' : 'added',
        a: left,
        b: right,
      })
    }
  }
  keep(a.slice(a.length - tail))
  return found
}

function lengthOf(lines: readonly string[]): number {
  return lines.reduce((sum, line) => sum + line.length + 1, 0)
}

function whole(text: string, number: number): Line {
  return { number, pieces: [{ text, isChanged: false }] }
}

function changed(text: string): Piece[] {
  return [{ text, isChanged: true }]
}
