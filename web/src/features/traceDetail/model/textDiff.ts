import { diffLines, diffWordsWithSpace } from 'diff'
import { Json, prettyText } from '@/shared/io'

/** A stretch of text that both have, or only one of them. */
export type Part = { kind: 'same' | 'only-a' | 'only-b'; text: string }

export type TextDiff = {
  parts: Part[]
  added: number
  removed: number
}

/** Longer texts are not compared. */
export const longestDiff = 200_000
/** Shorter texts are compared word by word. */
const byWords = 20_000
const giveUpAfter = 800

/** The difference between two texts; undefined if they are too long or too different to compare in time. */
export function textDiff(a: string, b: string): TextDiff | undefined {
  const before = readable(a)
  const after = readable(b)
  if (before.length + after.length > longestDiff) return undefined
  const bounds = { timeout: giveUpAfter }
  const changes =
    before.length + after.length <= byWords
      ? diffWordsWithSpace(before, after, bounds)
      : diffLines(before, after, bounds)
  if (!changes) return undefined
  let added = 0
  let removed = 0
  const parts = changes.map((change): Part => {
    if (change.added) added += change.value.length
    if (change.removed) removed += change.value.length
    return {
      kind: change.added ? 'only-b' : change.removed ? 'only-a' : 'same',
      text: change.value,
    }
  })
  return { parts, added, removed }
}

/** A part as shown: unchanged lines far from any difference are replaced by their number. */
export type Shown = Part | { kind: 'left-out'; lines: number }

export function shortened(parts: readonly Part[], around = 3): Shown[] {
  return parts.flatMap((part, at): Shown[] => {
    if (part.kind !== 'same') return [part]
    const lines = part.text.split('\n')
    const keepBefore = at === 0 ? 0 : around
    const keepAfter = at === parts.length - 1 ? 0 : around
    const hidden = lines.length - keepBefore - keepAfter
    if (hidden <= 2) return [part]
    const first = lines.slice(0, keepBefore)
    const last = lines.slice(lines.length - keepAfter)
    const texts: Shown[] = [{ kind: 'left-out', lines: hidden }]
    if (first.length > 0) texts.unshift({ kind: 'same', text: `${first.join('\n')}\n` })
    if (keepAfter > 0) texts.push({ kind: 'same', text: last.join('\n') })
    return texts
  })
}

/** JSON with one line per entry and numbers as stored; anything else unchanged. */
function readable(text: string): string {
  if (!/^\s*["[{]/.test(text)) return text
  return Json.parse(text)?.string ?? prettyText(text) ?? text
}
