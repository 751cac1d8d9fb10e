import type { Mark } from './marks'

/** A stretch of whole lines with the marks in it. */
export type Block = { from: number; to: number; marks: readonly Mark[] }

/** Browsers lay out blocks of this size only when they are seen. */
const blockLength = 16_000
/** Marks beyond these are shown as text. */
export const maxMarks = 10_000

/** Divides the beginning of a text at line breaks; lines stay whole, however long. */
export function blocksOf(text: string, length: number, marks: readonly Mark[]): Block[] {
  const blocks: Block[] = []
  let at = 0
  let mark = 0
  while (at < length) {
    const newline = text.indexOf('\n', Math.min(at + blockLength, length))
    const isLast = newline < 0 || newline + 1 >= length
    const to = isLast ? length : newline + 1
    const first = mark
    // A mark that goes on in the next block is text.
    while ((marks[mark]?.from ?? to) < to) mark += 1
    blocks.push({
      from: at,
      to,
      marks: marks.slice(first, Math.min(mark, maxMarks)).filter((each) => each.to <= to),
    })
    at = to
  }
  return blocks
}
