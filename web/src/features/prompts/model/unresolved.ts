import type { Problem } from '@/shared/editor'
import { marksOf, writeReference } from '@/shared/prompts'

/** The references of a text that cannot be inserted, by what is wrong with them, where they are written. */
export function unresolvedIn(text: string, refused: ReadonlyMap<string, string>): Problem[] {
  if (refused.size === 0) return []
  return marksOf(text).flatMap((mark) => {
    if (mark.kind !== 'reference') return []
    const message = refused.get(writeReference(mark.reference))
    return message === undefined ? [] : [{ from: mark.from, to: mark.to, message }]
  })
}
