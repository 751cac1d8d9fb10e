import { countOf } from '@/shared/lib/format'
import { kind } from './buildIndex'
import type { JsonDocument } from './json'
import { decodeString } from './strings'

/** A value as shown in its row, and its full length. */
export type Preview = {
  kind: 'object' | 'array' | 'string' | 'number' | 'word'
  text: string
  /** The length of a string or number, if it is longer than what is shown. */
  length?: number
}

/** How much of a string a row shows before it is expanded. */
export const shownAtFirst = 600

/** The number of characters of a value as it is written. */
export function lengthOf({ index }: JsonDocument, node: number): number {
  return (index.ends[node] ?? 0) - (index.starts[node] ?? 0)
}

export function previewOf({ text, index }: JsonDocument, node: number, most: number): Preview {
  const size = index.sizes[node] ?? 0
  const start = index.starts[node] ?? 0
  const end = index.ends[node] ?? 0
  switch (index.kinds[node]) {
    case kind.object:
      return { kind: 'object', text: size === 0 ? '{}' : countOf(size, 'key') }
    case kind.array:
      return { kind: 'array', text: size === 0 ? '[]' : countOf(size, 'item') }
    case kind.string: {
      if (end - start - 2 <= most) return { kind: 'string', text: decodeString(text, start, end) }
      // An escape at the cut is dropped rather than shown in part.
      const piece = text.slice(start, start + 1 + most).replace(/\\(?:u[0-9a-fA-F]{0,3})?$/, '')
      return {
        kind: 'string',
        text: decodeString(piece, 0, piece.length),
        length: end - start - 2,
      }
    }
    case kind.number:
      return end - start <= most
        ? { kind: 'number', text: text.slice(start, end) }
        : { kind: 'number', text: text.slice(start, start + most), length: end - start }
    default:
      return { kind: 'word', text: text.slice(start, end) }
  }
}
