import { countOf } from '@/lib/format'
import { kind } from './buildIndex'
import type { JsonDocument } from './json'
import { decodeString } from './strings'

/** A value as its row shows it, and how much of it there is beyond that. */
export type Preview = {
  kind: 'object' | 'array' | 'string' | 'number' | 'word'
  text: string
  /** How long a string or number is, if that is more than is shown. */
  length?: number
}

/** How much of a string a row shows until somebody asks for the rest. */
export const shownAtFirst = 600

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
      // An escape at the edge is left out rather than shown as half of one.
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
