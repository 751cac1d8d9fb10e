import { none, type JsonIndex, stringEnd } from './buildIndex'
import type { JsonDocument } from './json'
import { isContainer } from './rows'

/** More hits than anybody steps through. */
export const maxHits = 100_000

const escapes: Record<string, string> = {
  '"': '\\\\"',
  '\\': '\\\\\\\\',
  '\n': '\\\\n',
  '\r': '\\\\r',
  '\t': '\\\\t',
  '\b': '\\\\b',
  '\f': '\\\\f',
}

/** Matches a query against the stored text: every character may be escaped there. */
export function searchPattern(query: string): RegExp {
  const units = Array.from({ length: query.length }, (_, at) => query.charAt(at))
  const source = units.map((unit) => {
    const hex = unit.charCodeAt(0).toString(16).padStart(4, '0')
    const plain = escapes[unit] ?? unit.replace(/[.*+?^${}()|[\]/-]/, '\\$&')
    return `(?:${plain}|\\\\u${hex})`
  })
  return new RegExp(source.join(''), 'gi')
}

/**
 * The offsets of the hits in a text. A hit may be in a name, in a value, or in between; `hitNodes` drops the latter.
 */
export function searchOffsets(text: string, query: string): Uint32Array<ArrayBuffer> {
  if (query === '') return new Uint32Array()
  const pattern = searchPattern(query)
  const found: number[] = []
  for (let hit = pattern.exec(text); hit && found.length < maxHits; hit = pattern.exec(text))
    found.push(hit.index)
  return Uint32Array.from(found)
}

/** The values with a hit in them or in their name, in order, without duplicates. */
export function hitNodes({ text, index }: JsonDocument, offsets: Uint32Array): number[] {
  const nodes: number[] = []
  for (const offset of offsets) {
    const node = nodeAt(index, offset)
    if (node === none || node === nodes.at(-1)) continue
    const start = index.starts[node] ?? 0
    const key = index.keys[node] ?? none
    const isInKey = key !== none && offset > key && offset < stringEnd(text, key) - 1
    const isInValue = offset >= start && offset < (index.ends[node] ?? 0)
    if (isInKey || (isInValue && !isContainer(index, node))) nodes.push(node)
  }
  return nodes
}

/** The last value that begins, including its name, at or before an offset. */
function nodeAt(index: JsonIndex, offset: number): number {
  let [low, high, found] = [0, index.count - 1, none]
  while (low <= high) {
    const middle = (low + high) >> 1
    const key = index.keys[middle] ?? none
    const begin = key === none ? (index.starts[middle] ?? 0) : key
    if (begin <= offset) {
      found = middle
      low = middle + 1
    } else high = middle - 1
  }
  return found
}

/** Splits a text into pieces; every second piece is a match. */
export function marked(text: string, query: string): string[] {
  if (query === '') return [text]
  const pattern = new RegExp(`(${query.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&')})`, 'gi')
  return text.split(pattern)
}
