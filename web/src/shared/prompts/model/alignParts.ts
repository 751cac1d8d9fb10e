import type { PromptPart } from './body'

/** A part of both versions, or of one. */
export type PartPair =
  | { kind: 'same'; before: PromptPart; after: PromptPart }
  | { kind: 'changed'; before: PromptPart; after: PromptPart }
  | { kind: 'removed'; before: PromptPart }
  | { kind: 'added'; after: PromptPart }

/** More pairs than these are not weighed; the middle of so long conversations is paired in order. */
const maxPairs = 250_000
/** For so few pairs, their words are compared as well. */
const maxByWord = 2_500
const longestSample = 4_000

/**
 * Puts the parts of two versions beside each other: equal ones, then those that say much the same or have the same role,
 * never out of order.
 */
export function alignParts(
  before: readonly PromptPart[],
  after: readonly PromptPart[],
): PartPair[] {
  let head = 0
  while (isSame(before[head], after[head])) head += 1
  let tail = 0
  const rest = Math.min(before.length, after.length) - head
  while (tail < rest && isSame(before.at(-1 - tail), after.at(-1 - tail))) tail += 1
  const middle = align(
    before.slice(head, before.length - tail),
    after.slice(head, after.length - tail),
  )
  return [
    ...pairs(before.slice(0, head), after.slice(0, head)),
    ...middle,
    ...pairs(before.slice(before.length - tail), after.slice(after.length - tail)),
  ]
}

function align(a: readonly PromptPart[], b: readonly PromptPart[]): PartPair[] {
  if (a.length === 0 || b.length === 0 || a.length * b.length > maxPairs) return pairs(a, b)
  const width = b.length + 1
  const scores = scoresOf(a, b)
  // The best that can be reached from each place to the ends.
  const best = new Float64Array((a.length + 1) * width)
  const score = (i: number, j: number) => scores[i * b.length + j] ?? 0
  const at = (i: number, j: number) => best[i * width + j] ?? 0
  for (let i = a.length - 1; i >= 0; i -= 1)
    for (let j = b.length - 1; j >= 0; j -= 1) {
      const matched = score(i, j) > 0 ? score(i, j) + at(i + 1, j + 1) : 0
      best[i * width + j] = Math.max(matched, at(i + 1, j), at(i, j + 1))
    }
  const found: PartPair[] = []
  let i = 0
  let j = 0
  while (i < a.length || j < b.length) {
    const old = a[i]
    const now = b[j]
    if (old && now && score(i, j) > 0 && at(i, j) === score(i, j) + at(i + 1, j + 1)) {
      found.push(pair(old, now))
      i += 1
      j += 1
    } else if (old && (!now || at(i, j) === at(i + 1, j))) {
      found.push({ kind: 'removed', before: old })
      i += 1
    } else if (now) {
      found.push({ kind: 'added', after: now })
      j += 1
    }
  }
  return found
}

/** How much belongs together what stands at two places; 0 if it does not. */
function scoresOf(a: readonly PromptPart[], b: readonly PromptPart[]): Float64Array {
  const scores = new Float64Array(a.length * b.length)
  const byWord = scores.length <= maxByWord
  const wordsA = byWord ? a.map(wordsOf) : []
  const wordsB = byWord ? b.map(wordsOf) : []
  for (const [i, old] of a.entries())
    for (const [j, now] of b.entries()) {
      const place = i * b.length + j
      if (isSame(old, now)) scores[place] = 4
      else if (old.kind !== now.kind && (old.kind === 'placeholder' || now.kind === 'placeholder'))
        scores[place] = 0
      else {
        const alike = old.text === now.text ? 1 : sharedOf(wordsA[i], wordsB[j])
        if (old.role === now.role) scores[place] = 1 + alike
        else if (alike > 0.5) scores[place] = alike
      }
    }
  return scores
}

function wordsOf({ text }: PromptPart): ReadonlySet<string> {
  return new Set(text.slice(0, longestSample).split(/\W+/u))
}

function sharedOf(a?: ReadonlySet<string>, b?: ReadonlySet<string>): number {
  if (!a || !b) return 0
  let shared = 0
  for (const word of a) if (b.has(word)) shared += 1
  return shared / Math.max(1, a.size, b.size)
}

function isSame(a: PromptPart | undefined, b: PromptPart | undefined): boolean {
  return a !== undefined && a.kind === b?.kind && a.role === b.role && a.text === b.text
}

function pair(before: PromptPart, after: PromptPart): PartPair {
  return { kind: isSame(before, after) ? 'same' : 'changed', before, after }
}

/** In order, whatever they say. */
function pairs(a: readonly PromptPart[], b: readonly PromptPart[]): PartPair[] {
  return Array.from({ length: Math.max(a.length, b.length) }, (_, at): PartPair[] => {
    const before = a[at]
    const after = b[at]
    if (before && after) return [pair(before, after)]
    if (before) return [{ kind: 'removed', before }]
    return after ? [{ kind: 'added', after }] : []
  }).flat()
}
