import { diffArrays } from 'diff'

/** A stretch of a line, and whether only this side has it. */
export type Piece = { text: string; isChanged: boolean }

/** Longer lines are marked as a whole. */
const longestLine = 5_000
const giveUpAfter = 100

/** Words, runs of spaces, and single signs. Scripts without spaces between words are compared by characters. */
const token =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]\p{M}*|[\p{L}\p{N}\p{M}_]+|\s+|./gsu

/** The same line on both sides, with the words that differ; undefined if little is the same. */
export function wordDiff(a: string, b: string): { a: Piece[]; b: Piece[] } | undefined {
  if (a.length > longestLine || b.length > longestLine) return undefined
  const changes = diffArrays(a.match(token) ?? [], b.match(token) ?? [], { timeout: giveUpAfter })
  if (!changes) return undefined
  const before: Piece[] = []
  const after: Piece[] = []
  let same = 0
  for (const { value, added, removed } of changes) {
    const text = value.join('')
    if (!added && !removed) same += text.trim().length
    if (!added) before.push({ text, isChanged: removed })
    if (!removed) after.push({ text, isChanged: added })
  }
  // Of prose with little in common, single words that happen to be on both sides would only confuse.
  const tokens = Math.max(before.length, after.length)
  const isAlike = tokens <= 4 || same * 4 >= Math.min(a.trim().length, b.trim().length)
  return isAlike ? { a: before, b: after } : undefined
}
