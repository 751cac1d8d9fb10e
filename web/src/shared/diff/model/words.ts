import type { Effort } from './matches'
import { sequenceDiff } from './sequences'

/** A stretch of a line, and whether only this side has it. */
export type Piece = { text: string; isChanged: boolean }

/** Of longer lines, only what is between their equal beginnings and ends is compared. */
const longLine = 5_000
/** What is longer is marked as a whole. */
const longestMiddle = 200_000

/** Words, runs of spaces, and single signs. Scripts without spaces between words are compared by characters. */
const token =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]\p{M}*|[\p{L}\p{N}\p{M}_]+|\s+|./gsu

/**
 * The same line on both sides, with the words that differ; undefined if little is the same, or if it takes more effort than
 * is left.
 */
export function wordDiff(
  a: string,
  b: string,
  effort: Effort,
): { a: Piece[]; b: Piece[] } | undefined {
  const isLong = a.length > longLine || b.length > longLine
  const { head, tail } = isLong ? equalEnds(a, b) : { head: 0, tail: 0 }
  const middleA = a.slice(head, a.length - tail)
  const middleB = b.slice(head, b.length - tail)
  if (middleA.length > longestMiddle || middleB.length > longestMiddle) return undefined
  const runs = sequenceDiff(middleA.match(token) ?? [], middleB.match(token) ?? [], effort)
  if (!runs) return undefined
  const before: Piece[] = []
  const after: Piece[] = []
  let same = 0
  const keep = (text: string) => {
    if (text === '') return
    same += text.trim().length
    for (const side of [before, after]) {
      const last = side.at(-1)
      if (last && !last.isChanged) last.text += text
      else side.push({ text, isChanged: false })
    }
  }
  keep(a.slice(0, head))
  for (const { kind, values } of runs) {
    const text = values.join('')
    if (kind === 'same') keep(text)
    else (kind === 'removed' ? before : after).push({ text, isChanged: true })
  }
  keep(a.slice(a.length - tail))
  // Of prose with little in common, single words that happen to be on both sides would only confuse.
  const tokens = Math.max(before.length, after.length)
  const isAlike = tokens <= 4 || same * 4 >= Math.min(a.trim().length, b.trim().length)
  return isAlike ? { a: before, b: after } : undefined
}

/** How much of the beginning and of the end of two lines is the same, up to a space, so that words stay whole. */
function equalEnds(a: string, b: string): { head: number; tail: number } {
  const shorter = Math.min(a.length, b.length)
  let head = 0
  while (head < shorter && a.charCodeAt(head) === b.charCodeAt(head)) head += 1
  while (head > 0 && a[head - 1] !== ' ') head -= 1
  let tail = 0
  while (
    tail < shorter - head &&
    a.charCodeAt(a.length - 1 - tail) === b.charCodeAt(b.length - 1 - tail)
  )
    tail += 1
  while (tail > 0 && a[a.length - tail] !== ' ') tail -= 1
  return { head, tail }
}
